/** What an e-mail can be (decisions §7). */
export const statuses = [
  "scheduled",
  "queued",
  "sending",
  "sent",
  "partially_sent",
  "failed",
  "suppressed",
  "cancelled",
] as const;
