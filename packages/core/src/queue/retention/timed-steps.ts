import type { Removal, Repositories, TimedTable } from "../../ports/storage.ts";
import type { Config } from "../../service/options.ts";

const hour = 3_600_000;
const day = 24 * hour;

/** Rows with a retention period that is the same for all workspaces. */
export interface TimedStep {
  table: TimedTable;
  /** Name of the retention period. */
  period: string;
  /** Retention period in ms; `undefined` for ever. */
  keptMs(config: Pick<Config, "eventRetentionDays">): number | undefined;
  /** Removes up to `limit` rows that expired before a time. Returns their number, or where the next piece begins. */
  remove(
    storage: Repositories,
    before: number,
    limit: number,
    after: number | undefined,
  ): Promise<number | Removal>;
}

const after = (ms: number) => () => ms;

/** All such rows; docs/operations.md lists their retention periods by table. */
export const timedSteps: readonly TimedStep[] = [
  {
    table: "sessions",
    period: "7 days after their end",
    keptMs: after(7 * day),
    remove: ({ sessions }, before, limit) => sessions.deleteExpired(before, limit),
  },
  {
    table: "email_tokens",
    period: "at their end",
    keptMs: after(0),
    remove: ({ emailTokens }, before, limit) => emailTokens.deleteExpired(before, limit),
  },
  {
    table: "guards",
    period: "2 hours after their end",
    keptMs: after(2 * hour),
    remove: ({ guards }, before, limit) => guards.deleteStale(before, limit),
  },
  {
    table: "idempotency_keys",
    period: "after 24 hours",
    keptMs: after(day),
    remove: ({ idempotencyKeys }, before, limit) => idempotencyKeys.deleteBefore(before, limit),
  },
  {
    table: "mail_metrics",
    period: "after 400 days",
    keptMs: after(400 * day),
    remove: ({ metrics }, before, limit) => metrics.deleteBefore(before, limit),
  },
  {
    table: "usage",
    period: "3 days after their window began",
    keptMs: after(3 * day),
    remove: ({ usage }, before, limit) => usage.deleteBefore(before, limit),
  },
  {
    table: "webhook_deliveries",
    period: "30 days after they were settled",
    keptMs: after(30 * day),
    remove: ({ webhookDeliveries }, before, limit) => webhookDeliveries.deleteBefore(before, limit),
  },
  {
    table: "suppressions",
    period: "at their end",
    keptMs: after(0),
    remove: ({ suppressions }, before, limit) => suppressions.deleteExpired(before, limit),
  },
  {
    table: "workers",
    period: "a day after their last heartbeat",
    keptMs: after(day),
    remove: ({ operations }, before, limit) => operations.deleteWorkers(before, limit),
  },
  {
    table: "inbound_reports",
    period: "after 7 days",
    keptMs: after(7 * day),
    remove: ({ reports }, before, limit) => reports.deleteBefore(before, limit),
  },
  {
    table: "bounce_days",
    period: "after 31 days",
    keptMs: after(31 * day),
    remove: ({ reports }, before, limit) => reports.deleteBounceDaysBefore(before, limit),
  },
  {
    table: "smtp_sent",
    period: "2 days after their hour",
    keptMs: after(2 * day),
    remove: ({ smtpServers }, before, limit) => smtpServers.deleteCountsBefore(before, limit),
  },
  {
    table: "batches",
    period: "30 days, of those without an e-mail",
    keptMs: after(30 * day),
    remove: ({ batches }, before, limit) => batches.deleteEmptyBefore(before, limit),
  },
  {
    table: "events",
    period: "the days that the service keeps events",
    keptMs: ({ eventRetentionDays }) => (eventRetentionDays > 0 ? eventRetentionDays * day : undefined),
    remove: ({ events }, before, limit, after) => events.deleteBefore(before, limit, after),
  },
  {
    table: "attachment_handles",
    period: "7 days after their last use",
    keptMs: after(0),
    remove: ({ attachments }, before, limit) => attachments.deleteExpired(before, limit),
  },
  {
    table: "parked_routes",
    period: "a day after their end",
    keptMs: after(day),
    remove: ({ emailQueue }, before, limit) => emailQueue.deleteHoldsBefore(before, limit),
  },
];
