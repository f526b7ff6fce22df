import { StorageUnavailable } from "@posthorn/core/storage";
import { expect } from "vitest";

/** Repeats the check until it returns true; fails after a minute. */
export const eventually = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  await expect.poll(isSo, { timeout: 60_000, interval: 10 }).toBe(true);
};

/**
 * Repeats the call while the storage is unavailable, and returns its answer: a machine that stands still for a moment
 * exceeds short time-outs before the fault that they are for begins.
 */
export const untilAvailable = async <T>(call: () => Promise<T>): Promise<T> => {
  const answers: T[] = [];
  await eventually(async () => {
    try {
      answers.push(await call());
      return true;
    } catch (error) {
      if (error instanceof StorageUnavailable) return false;
      throw error;
    }
  });
  return answers[0] as T;
};
