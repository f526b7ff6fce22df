/** What the workers of one service did since it was made. */
export interface Counters {
  /** Attempts at e-mails by outcome. */
  emails: Record<"sent" | "deferred" | "failed", number>;
  /** Attempts at webhook deliveries by what followed. */
  webhooks: Record<"delivered" | "retried" | "failed", number>;
}

/** Counters that begin at 0. */
export const createCounters = (): Counters => ({
  emails: { sent: 0, deferred: 0, failed: 0 },
  webhooks: { delivered: 0, retried: 0, failed: 0 },
});
