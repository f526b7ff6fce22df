import type { Storage } from "@posthorn/core/storage";

/**
 * Makes a storage that remains open, lent to one test: it has its own functions until it is closed, each of which the
 * test may replace. Closing ends the test's listeners and then calls `takeBack`, once.
 */
export function lendStorage<Tx>(storage: Storage<Tx>, takeBack: () => Promise<void>): Storage<Tx> {
  let isOpen = true;
  const endings: (() => void)[] = [];
  const guard = (value: unknown): unknown => {
    if (typeof value === "function")
      return (...given: unknown[]) => {
        if (!isOpen) throw new Error("the storage is closed");
        return value(...given);
      };
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, guard(part)]));
  };
  return {
    ...storage,
    ...(guard(storage) as Storage<Tx>),
    migrate: async () => [],
    subscribe(listener) {
      const end = storage.subscribe(listener);
      endings.push(end);
      return end;
    },
    async close() {
      if (!isOpen) return;
      isOpen = false;
      for (const end of endings) end();
      await takeBack();
    },
  };
}
