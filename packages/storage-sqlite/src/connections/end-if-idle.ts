/** Ms between two looks at a transaction. One that ran no statement in two such spans is given up. */
const lookMs = 5_000;

/**
 * Returns the result of a transaction's work, and rejects if that waits for something else than the storage for long:
 * everything else that writes waits for it meanwhile, and what it waits for may be among that.
 */
export function endIfIdle<T>(work: Promise<T>, statementsSoFar: () => number): Promise<T> {
  return new Promise((resolve, reject) => {
    let seen = statementsSoFar();
    let idle = 0;
    const looks = setInterval(() => {
      idle = statementsSoFar() === seen ? idle + 1 : 0;
      seen = statementsSoFar();
      if (idle === 2) end(() => reject(new Error(words)));
    }, lookMs);
    const end = (settle: () => void): void => {
      clearInterval(looks);
      settle();
    };
    work.then(
      (result) => end(() => resolve(result)),
      (error: unknown) => end(() => reject(error)),
    );
  });
}

const words =
  "a transaction was rolled back, because for 10 s it ran no statement: a use case's run may await nothing but its storage, and a call of the service waits for the transaction to end";
