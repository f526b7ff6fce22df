import { setTimeout as delay } from "node:timers/promises";

/** Asks until the answer is yes; throws after `patienceMs`. */
export const eventually = async (
  isSo: () => boolean | Promise<boolean>,
  patienceMs = 60_000,
): Promise<void> => {
  const deadline = performance.now() + patienceMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`not so after ${patienceMs} ms`);
    await delay(10);
  }
};
