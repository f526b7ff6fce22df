import { setTimeout as sleep } from "node:timers/promises";
import type { Runtime } from "../service/runtime.ts";

const beatMs = 10_000;
/** Ms without a heartbeat after which a worker counts as dead. */
export const aliveMs = 30_000;
/** Ms until a failed heartbeat is repeated. */
const missedMs = 1_000;
/** Maximum ms that a stop waits until the storage has recorded the worker's end. */
const leaveMs = 1_000;

/** Writes the heartbeats of this worker for the queue's status. The returned function records that the worker ended. */
export function startHeartbeat(
  { storage, logger }: Pick<Runtime, "storage" | "logger">,
  worker: string,
): () => Promise<void> {
  let isAlive = true;
  let missed: NodeJS.Timeout | undefined;

  /** By the database's clock, as other machines read the heartbeats. */
  async function beatOnce(): Promise<void> {
    const now = await storage.now();
    if (isAlive) await storage.operations.beat(worker, now);
  }
  let last = Promise.resolve();
  const beat = (): void => {
    last = beatOnce().catch((error: unknown) => {
      logger.error({ err: error }, "the worker's heartbeat failed");
      // The regular beats of an outage would each begin a series of repetitions.
      clearTimeout(missed);
      if (isAlive) missed = setTimeout(beat, missedMs);
    });
  };

  beat();
  const beating = setInterval(beat, beatMs);

  return async () => {
    isAlive = false;
    clearTimeout(missed);
    clearInterval(beating);
    // The worker is removed from the list. If the storage fails, its missing heartbeats have the same effect.
    // A heartbeat that is on its way would bring it back.
    const left = last.then(() => storage.operations.forgetWorker(worker)).catch(() => {});
    await Promise.race([left, sleep(leaveMs, undefined, { ref: false })]);
  };
}
