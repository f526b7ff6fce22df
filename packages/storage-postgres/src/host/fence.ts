/** SQL text that identifies the current transaction: the connection's process, and the transaction's start. */
const sign = "pg_backend_pid() || ' ' || extract(epoch from transaction_timestamp())";

const crossed = "posthorn: another transaction";

/** Evaluates an expression where statements run now. */
type Look = (expression: string) => Promise<string>;

/** What tells a transaction from all others. */
export interface Sign {
  key: unknown;
  /** Whether it was just asked for, in the transaction. */
  isNew: boolean;
}

/**
 * Keeps statements inside the transaction in which the first one ran, because a library may run them on any connection.
 */
export interface Fence {
  /** Returns what identifies that transaction. */
  sign(look: Look): Promise<Sign>;
  /** Wraps SQL so that it fails, with its statement, outside that transaction. */
  guard(look: Look): Promise<(text: string) => string>;
  /** Rejects if another transaction, or none, is open. Causes no error on the connection. */
  assertInside(look: Look): Promise<void>;
  isCrossed(error: unknown): boolean;
  ended(cause?: unknown): Error;
  /** Forgets what was seen, because it was no transaction. */
  forget(): void;
}

export const createFence = (): Fence => {
  let own: Promise<string> | undefined;
  const ownSign = (look: Look): Promise<string> => {
    own ??= look(sign).catch((error: unknown) => {
      own = undefined;
      throw error;
    });
    return own;
  };
  const ended = (cause?: unknown): Error =>
    new Error(
      "the host's transaction has ended, and later statements were not executed: await each call before that",
      { cause },
    );
  return {
    async sign(look) {
      const isNew = own === undefined;
      return { key: await ownSign(look), isNew };
    },
    async guard(look) {
      const inside = await ownSign(look);
      // This text is not a number, so the cast fails, and the server's error quotes it in full.
      return (text) =>
        `case when ${sign} = '${inside}' then ${text} else ('${crossed} ' || pg_backend_pid())::int::text end`;
    },
    async assertInside(look) {
      const inside = own === undefined ? undefined : await own;
      if (inside !== undefined && inside !== (await look(sign))) throw ended();
    },
    // Checks the code too: libraries quote the statement in their errors.
    isCrossed: (error) =>
      error instanceof Error && "code" in error && error.code === "22P02" && error.message.includes(crossed),
    ended,
    forget() {
      own = undefined;
    },
  };
};
