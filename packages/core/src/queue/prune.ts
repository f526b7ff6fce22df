import type { Runtime } from "../service/runtime.ts";
import type { QueueClock } from "./queue-clock.ts";

const hour = 3_600_000;
/** Days that counts of mail are kept by hour and domain; their sums stay. */
const metricDays = 400;
const day = 24 * hour;
/** Rows deleted at once: a long deletion would hold up those who write. */
const chunk = 500;
/** The same of files, each of which may have megabytes. */
const fewFiles = 10;

/** Days that the service's own mails and settled webhook deliveries are kept. */
const ownDays = 30;

/** Days that messages which came back are kept, and on which days addresses bounced (platform.md P7). */
const reportDays = 7;
const bounceDays = 31;

/**
 * Removes what is kept no longer: logs past the plan's retention, the service's own mails, events, expired sessions, tokens, answers and
 * counters, workers that are gone, contents and files that nothing refers to any more (decisions §7). In short pieces, each a transaction; how
 * many rows.
 */
export async function prune(
  {
    storage,
    queueClock,
    config,
  }: Pick<Runtime, "storage" | "config"> & { queueClock: Pick<QueueClock, "now"> },
  stopped: () => boolean = () => false,
): Promise<number> {
  const now = queueClock.now();
  const eventDays = config.eventRetentionDays;
  let removed = 0;
  const all = async (remove: () => Promise<number>, piece = chunk): Promise<void> => {
    for (let count = piece; count >= piece && !stopped(); removed += count) {
      count = await remove();
      // Between two pieces everybody else has a turn.
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await all(() => storage.sessions.deleteExpired(now - 7 * day, chunk));
  await all(() => storage.emailTokens.deleteExpired(now, chunk));
  await all(() => storage.guards.deleteStale(now - 2 * hour, chunk));
  await all(() => storage.idempotencyKeys.deleteBefore(now - day, chunk));
  await all(() => storage.metrics.deleteBefore(now - metricDays * day, chunk));
  await all(() => storage.usage.deleteBefore(now - 3 * day, chunk));
  await all(() => storage.webhookDeliveries.deleteBefore(now - ownDays * day, chunk));
  await all(() => storage.suppressions.deleteExpired(now, chunk));
  await all(() => storage.operations.deleteWorkers(now - day, chunk));
  await all(() => storage.reports.deleteBefore(now - reportDays * day, chunk));
  await all(() => storage.reports.deleteBounceDaysBefore(now - bounceDays * day, chunk));
  await all(() => storage.smtpServers.deleteCountsBefore(now - 2 * day, chunk));
  await all(() => storage.emails.deleteBefore(undefined, now - ownDays * day, chunk));
  if (eventDays > 0) await all(() => storage.events.deleteBefore(now - eventDays * day, chunk));
  for (let offset = 0; !stopped(); offset += 100) {
    const { items } = await storage.workspaces.list({ q: undefined }, { offset, limit: 100 });
    if (items.length === 0) break;
    for (const { workspaceId, limits } of await storage.apiKeys.findSendingContexts(
      items.map(({ id }) => id),
    )) {
      const kept = limits.emailLogRetentionDays;
      if (kept > 0) await all(() => storage.emails.deleteBefore(workspaceId, now - kept * day, chunk));
    }
  }
  await all(() => storage.contents.deleteUnused(chunk));
  await all(() => storage.attachments.deleteExpired(now, chunk));
  await all(() => storage.attachments.deleteUnused(now, fewFiles), fewFiles);
  return removed;
}
