/** Text of the transaction in which it is read, which no other has: the connection's process, and when the transaction began there. */
const sign = "pg_backend_pid() || ' ' || extract(epoch from transaction_timestamp())";

const crossed = "posthorn: another transaction";

/** Reads the value of an expression where statements run now. */
type Look = (expression: string) => Promise<string>;

/** Keeps statements inside the transaction for which the first was asked, where the library runs them wherever its connection is now. */
export interface Fence {
  /** What makes a text of SQL one that fails, with the statement that it stands in, outside of that transaction. */
  guard(look: Look): Promise<(text: string) => string>;
  /** Rejects where another transaction, or none, is open. Nothing fails on the connection. */
  assertInside(look: Look): Promise<void>;
  isCrossed(error: unknown): boolean;
  ended(cause?: unknown): Error;
  /** What was seen was no transaction. */
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
    new Error("the host's transaction has ended: nothing of what came after it was written", { cause });
  return {
    async guard(look) {
      const inside = await ownSign(look);
      // What can't be read as a number is told by the server in its own words, and in whole.
      return (text) =>
        `case when ${sign} = '${inside}' then ${text} else ('${crossed} ' || pg_backend_pid())::int::text end`;
    },
    async assertInside(look) {
      const inside = own === undefined ? undefined : await own;
      if (inside !== undefined && inside !== (await look(sign))) throw ended();
    },
    // By the code, too: libraries quote the statement in what they throw.
    isCrossed: (error) =>
      error instanceof Error && "code" in error && error.code === "22P02" && error.message.includes(crossed),
    ended,
    forget() {
      own = undefined;
    },
  };
};
