/** Counters of one service's workers since it was created. */
export interface Counters {
  /** Delivery attempts of e-mails, by outcome. */
  emails: Record<"sent" | "deferred" | "failed", number>;
  /** Delivery attempts of webhooks, by result. */
  webhooks: Record<"delivered" | "retried" | "failed", number>;
  /** Returned messages by kind. `unmatched` are reports about no known e-mail. */
  inbound: Record<"notification" | "complaint" | "auto_reply" | "other" | "unmatched", number>;
}

/** Returns counters that begin at 0. */
export const createCounters = (): Counters => ({
  emails: { sent: 0, deferred: 0, failed: 0 },
  webhooks: { delivered: 0, retried: 0, failed: 0 },
  inbound: { notification: 0, complaint: 0, auto_reply: 0, other: 0, unmatched: 0 },
});
