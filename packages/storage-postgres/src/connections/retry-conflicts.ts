import { setTimeout as delay } from "node:timers/promises";
import type { Repositories } from "@posthorn/core/storage";
import { isConflict, isLockTimeout } from "../postgres-errors.ts";

const retries = 3;
const firstWaitMs = 20;
/**
 * After waiting this long for a lock, the caller is told that the storage is busy: every call is answered within 5 s.
 */
const patienceMs = 1_000;

/** Retries a whole transaction after a conflict: at most three times, after a random delay. */
export const retryConflicts = async <T>(transaction: () => Promise<T>): Promise<T> => {
  const deadline = performance.now() + patienceMs;
  for (let retry = 0; ; retry += 1) {
    try {
      return await transaction();
    } catch (error) {
      const isLate = isLockTimeout(error) && performance.now() > deadline;
      if (retry >= retries || !isConflict(error) || isLate) throw error;
      await delay(firstWaitMs * 2 ** retry * (0.5 + Math.random()));
    }
  }
};

type Methods = Record<string, (...args: unknown[]) => Promise<unknown>>;

/** The repositories outside a transaction, where each call is a transaction of its own and can be retried. */
export const withRetries = (repositories: Repositories): Repositories => {
  const retrying = (methods: Methods): Methods =>
    Object.fromEntries(
      Object.entries(methods).map(([name, method]) => [
        name,
        (...args: unknown[]) => retryConflicts(() => method(...args)),
      ]),
    );
  const entries = Object.entries(repositories).map(([name, methods]) => [name, retrying(methods as Methods)]);
  return Object.fromEntries(entries) as Repositories;
};
