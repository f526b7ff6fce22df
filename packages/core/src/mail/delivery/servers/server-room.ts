/** Counts the messages that each server's mailer has, and lets further ones wait. */
export interface ServerRoom {
  /** Counts one more message of the server, unless `most` are counted; returns whether it did. */
  enter(row: number, most: number): boolean;
  leave(row: number): void;
  /** Resolves once fewer than `most` are counted, or the signal is aborted. */
  wait(row: number, most: number, signal: AbortSignal): Promise<void>;
}

/** Creates it with no message counted. */
export function createServerRoom(): ServerRoom {
  const counts = new Map<number, number>();
  const waiting = new Map<number, (() => void)[]>();

  const countOf = (row: number): number => counts.get(row) ?? 0;

  return {
    enter(row, most) {
      const count = countOf(row);
      if (count >= most) return false;
      counts.set(row, count + 1);
      return true;
    },
    leave(row) {
      const count = countOf(row) - 1;
      if (count > 0) counts.set(row, count);
      else counts.delete(row);
      const woken = waiting.get(row) ?? [];
      waiting.delete(row);
      // Not one alone: it may be returned without entering, and nobody would wake the others.
      for (const wake of woken) wake();
    },
    async wait(row, most, signal) {
      while (countOf(row) >= most && !signal.aborted) {
        const { promise, resolve } = Promise.withResolvers<void>();
        waiting.set(row, [...(waiting.get(row) ?? []), resolve]);
        const end = (): void => resolve();
        signal.addEventListener("abort", end, { once: true });
        await promise;
        // The signal is that of all e-mails, for as long as the service runs.
        signal.removeEventListener("abort", end);
      }
    },
  };
}
