import { setTimeout as delay } from "node:timers/promises";

/** Repeats the check until it returns true; throws after `patienceMs`. */
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
