import { setImmediate } from "node:timers";

/** UTF-16 units of a body from which it is large: it occupies the event loop for more than half a millisecond. */
const largeFrom = 65_536;

/** Turns in which the mailer composes and signs large bodies. */
export interface LargeTurns {
  /** Returns a promise if the message must wait for its turn. */
  enter(units: number): Promise<void> | undefined;
}

/**
 * Creates the turns of one process. A large body is taken on in every second turn of the event loop: by the dozen at
 * once, as they are claimed, they would hold up everybody's requests until the last is composed.
 */
export function createLargeTurns(
  inSecondTurn: (next: () => void) => void = (next) => void setImmediate(() => setImmediate(next)),
): LargeTurns {
  let isTaken = false;
  const waiting: (() => void)[] = [];
  const next = (): void => {
    const first = waiting.shift();
    isTaken = first !== undefined;
    if (first === undefined) return;
    inSecondTurn(next);
    first();
  };
  return {
    enter(units) {
      if (units < largeFrom) return undefined;
      if (isTaken) return new Promise((resolve) => waiting.push(resolve));
      isTaken = true;
      inSecondTurn(next);
      return undefined;
    },
  };
}
