/** What the workers of one service did since it was made. */
export interface Counters {
  /** Attempts at e-mails by outcome. */
  emails: Record<"sent" | "deferred" | "failed", number>;
  /** Attempts at webhook deliveries by what followed. */
  webhooks: Record<"delivered" | "retried" | "failed", number>;
  /** Messages that came back by what they were; `unmatched` are reports of no e-mail that is known. */
  inbound: Record<"notification" | "complaint" | "auto_reply" | "other" | "unmatched", number>;
}

/** Counters that begin at 0. */
export const createCounters = (): Counters => ({
  emails: { sent: 0, deferred: 0, failed: 0 },
  webhooks: { delivered: 0, retried: 0, failed: 0 },
  inbound: { notification: 0, complaint: 0, auto_reply: 0, other: 0, unmatched: 0 },
});
