import { createMutex } from "./mutex.ts";

type Enter = ReturnType<typeof createMutex>;

interface HostLines {
  byHandle: WeakMap<object, Enter>;
  /** While somebody is in them. */
  bySign: Map<unknown, { enter: Enter; users: number }>;
}

const name: unique symbol = Symbol.for("@posthorn/storage-sql lines");

const shared = globalThis as typeof globalThis & { [name]?: HostLines };

/**
 * Shared by all copies of this package in a process: each bundle of an application has its own, and one transaction. They
 * may be of several versions, so that its shape stays: another one needs a symbol of its own, and this one beside it.
 */
const lines = (): HostLines => {
  shared[name] ??= { byHandle: new WeakMap(), bySign: new Map() };
  return shared[name];
};

/**
 * The queue of a handle that a host passes, however often and to however many services it does: a savepoint of one call
 * in that of another would be undone, or kept, with it.
 */
export const lineOf = (handle: object): Enter => {
  const { byHandle } = lines();
  const line = byHandle.get(handle) ?? createMutex();
  byHandle.set(handle, line);
  return line;
};

/**
 * Waits for the turn on a transaction that is told by its sign. Returns whether others were before, and the function to
 * call at the end.
 */
export const enterBySign = async (sign: unknown): Promise<{ hasWaited: boolean; leave: () => void }> => {
  const { bySign } = lines();
  const line = bySign.get(sign) ?? { enter: createMutex(), users: 0 };
  bySign.set(sign, line);
  const hasWaited = line.users > 0;
  line.users += 1;
  const leaveLine = await line.enter();
  const leave = (): void => {
    leaveLine();
    line.users -= 1;
    if (line.users === 0) bySign.delete(sign);
  };
  return { hasWaited, leave };
};
