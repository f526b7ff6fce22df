/** Opens a session, or takes the one of this turn, and reads on it; it is released when the last that came has read. */
export type SharedReads<S extends { release(): void }> = <T>(
  open: () => Promise<S>,
  read: (session: S) => Promise<T>,
) => Promise<T>;

/**
 * Reads that begin in one turn of the event loop go out on one connection, behind each other: for those that are over at once, a connection
 * each would wake as many server processes for less work than waking one is. A session is for those of one turn alone.
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
        // Whoever comes now, in the same turn, has a session of its own.
        if (current === own) current = undefined;
        await own.session.then(
          (session) => session.release(),
          () => {},
        );
      }
    }
  };
};
