import { setImmediate as turn } from "node:timers/promises";

/** Waits for `all` steps; returns how many of them were made in a turn of the event loop at most. */
export async function mostInATurn(stepsMade: () => number, all: number): Promise<number> {
  let most = 0;
  for (let before = 0; before < all; ) {
    await turn();
    const made = stepsMade();
    most = Math.max(most, made - before);
    before = made;
  }
  return most;
}
