import { longestCheckMs } from "../domains/verification/domain-status.ts";
import type { Runtime } from "../service/runtime.ts";
import type { QueueClock } from "./queue-clock.ts";

const minuteMs = 60_000;

/**
 * Makes due what a clock that was ahead planned further ahead than this service ever plans: checks of domains and
 * erasures, which would wait until the clock is there again. Workers that were killed meanwhile would count as alive
 * until then. The sources of e-mails, campaigns and webhook deliveries see to theirs themselves, at once.
 */
export async function restoreTimes({
  storage: { domains, erasures, operations },
  queueClock,
  config,
}: Pick<Runtime, "storage" | "config"> & { queueClock: Pick<QueueClock, "now"> }): Promise<void> {
  const now = queueClock.now();
  await domains.checkPlanned(now + longestCheckMs + minuteMs, now);
  // Those that still run say so again within seconds.
  await operations.restoreSeen(now + minuteMs, now);
  await erasures.restoreDue(now + config.worker.leaseMs + minuteMs, now);
}
