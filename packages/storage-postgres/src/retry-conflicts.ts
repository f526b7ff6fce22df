import { setTimeout as delay } from "node:timers/promises";
import type { Repositories } from "@posthorn/core/storage";
import { isConflict, isLockTimeout } from "./postgres-errors.ts";

const retries = 3;
const firstWaitMs = 20;
/** Who has waited for a lock for so long is told that the storage is busy: within 5 s everybody has an answer. */
const patienceMs = 1_000;

/** Runs a whole transaction again where it met another's: at most three times, after a wait that differs from the other's. */
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

/** The repositories outside a transaction, where every call is a transaction of its own and may be run again. */
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
