import { expect } from "vitest";

/** Repeats the check until it returns true; fails after a minute. */
export const eventually = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  await expect.poll(isSo, { timeout: 60_000, interval: 10 }).toBe(true);
};
