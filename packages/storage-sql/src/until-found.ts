const maxRounds = 10;

/**
 * Takes the steps in turn until one returns an id, such as of finding a row and of adding it: between two, another
 * transaction may add or delete it. Throws for `thing` after ten rounds.
 */
export async function untilFound(
  thing: string,
  ...steps: (() => Promise<number | undefined>)[]
): Promise<number> {
  for (let round = 0; round < maxRounds; round += 1) {
    for (const step of steps) {
      const id = await step();
      if (id !== undefined) return id;
    }
  }
  throw new Error(`${thing} could not be stored`);
}
