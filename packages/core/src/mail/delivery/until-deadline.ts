import { maxTimerMs } from "../../ports/clock.ts";
import type { Tenure } from "../../queue/loop/work.ts";
import type { QueueClock } from "../../queue/queue-clock.ts";

/**
 * Does an attempt's work under a tenure whose signal is also aborted at the e-mail's deadline, if it has one: what waits
 * for a connection by then, or for the next server, is returned by the mailer as not begun (platform.md P1).
 */
export function untilDeadline<T>(
  queueClock: Pick<QueueClock, "now">,
  { deliverBefore, tenure }: { deliverBefore: number | undefined; tenure: Tenure },
  work: (tenure: Tenure) => Promise<T>,
): Promise<T> {
  return deliverBefore === undefined ? work(tenure) : endAt(deliverBefore, { queueClock, tenure, work });
}

interface Ending<T> {
  queueClock: Pick<QueueClock, "now">;
  tenure: Tenure;
  work: (tenure: Tenure) => Promise<T>;
}

async function endAt<T>(deliverBefore: number, { queueClock, tenure, work }: Ending<T>): Promise<T> {
  const ending = new AbortController();
  const stop = (): void => ending.abort(tenure.signal.reason);
  if (tenure.signal.aborted) stop();
  else tenure.signal.addEventListener("abort", stop, { once: true });
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const left = deliverBefore - queueClock.now();
    if (left > 0) timer = setTimeout(look, Math.min(left, maxTimerMs)).unref();
    else ending.abort();
  };
  look();
  try {
    return await work({ ...tenure, signal: ending.signal });
  } finally {
    clearTimeout(timer);
    tenure.signal.removeEventListener("abort", stop);
  }
}
