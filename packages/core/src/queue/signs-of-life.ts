import { setTimeout as sleep } from "node:timers/promises";
import type { Runtime } from "../service/runtime.ts";

const beatMs = 10_000;
/** Ms after which a beat that the storage did not take is tried again. */
const missedMs = 1_000;
/** Ms for which a stop waits until the storage has noted the worker's end. */
const leaveMs = 1_000;

/** Tells whoever asks who delivers that this worker lives; what it returns says that it has ended. */
export function showLife(
  { storage, logger }: Pick<Runtime, "storage" | "logger">,
  worker: string,
): () => Promise<void> {
  let isAlive = true;
  let missed: NodeJS.Timeout | undefined;

  /** By the database's clock: whoever reads it may be on another machine. */
  async function beatOnce(): Promise<void> {
    const now = await storage.now();
    if (isAlive) await storage.operations.beat(worker, now);
  }
  const beat = (): void =>
    void beatOnce().catch((error: unknown) => {
      logger.error({ err: error }, "the worker's heartbeat failed");
      if (isAlive) missed = setTimeout(beat, missedMs);
    });

  beat();
  const beating = setInterval(beat, beatMs);

  return async () => {
    isAlive = false;
    clearTimeout(missed);
    clearInterval(beating);
    // Nobody is to count on a worker that has ended. Where the storage is away, its silence tells.
    const left = storage.operations.forgetWorker(worker).catch(() => {});
    await Promise.race([left, sleep(leaveMs, undefined, { ref: false })]);
  };
}
