/** Opens a session, or shares this turn's, and reads on it; the session is released after its last read. */
export type SharedReads<S extends { release(): void }> = <T>(
  open: () => Promise<S>,
  read: (session: S) => Promise<T>,
) => Promise<T>;

/**
 * Pipelines reads that begin in one turn of the event loop on one connection: for short ones, waking a server process
 * each would cost more than the reads. A session serves one turn only.
 */
export const createSharedReads = <S extends { release(): void }>(): SharedReads<S> => {
  let current: { session: Promise<S>; readers: number } | undefined;
  return async (open, read) => {
    if (current === undefined) {
      current = { session: open(), readers: 0 };
      setImmediate(() => {
        current = undefined;
      });
    }
    const own = current;
    own.readers += 1;
    try {
      return await read(await own.session);
    } finally {
      own.readers -= 1;
      if (own.readers === 0) {
        // This session is being released: later callers of the same turn open their own.
        if (current === own) current = undefined;
        await own.session.then(
          (session) => session.release(),
          () => {},
        );
      }
    }
  };
};
