import { setTimeout as sleep } from "node:timers/promises";
import type { Posthorn } from "@posthorn/core";
import { operatorCall } from "../../program/connection/operator-call.ts";

/** Ms between two looks at what is left. */
const lookMs = 5_000;
/** Most of these looks: together they take longer than a lease. */
const maxLooks = 10;

/**
 * Delivers all that is due, and then what a worker had in hand that is gone. A new process leaves that to its owner for a
 * while, so that one which ended sooner, again and again as from cron, would leave it for ever.
 */
export async function drainAll(
  posthorn: Posthorn,
  { signal, onHandled }: { signal: AbortSignal; onHandled: (count: number) => void },
  rest: () => Promise<unknown> = () => sleep(lookMs, undefined, { signal }).catch(() => {}),
): Promise<number> {
  let count = await posthorn.drain({ signal, onHandled });
  for (let looks = 0; looks < maxLooks && !signal.aborted; looks += 1) {
    const { leased, workers, paused, webhooks } = await posthorn.queue.status({}, operatorCall());
    // Deliveries to webhooks are left for one look only; what is due then waits for something else.
    const isLeft = leased > 0 || (webhooks.oldestDueAt !== undefined && looks === 0);
    if (!isLeft || workers.length > 0 || paused !== undefined) break;
    await rest();
    count += await posthorn.drain({ signal, onHandled });
  }
  return count;
}
