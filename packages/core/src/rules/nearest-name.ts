/** The most edits between a name and the one that was meant; short names allow fewer. */
const mostEdits = 3;

/** Maximum characters of a name that is compared: longer ones are no slips, and would take time. */
const longestName = 64;

/**
 * Returns the known name that somebody who wrote `name` most likely meant: the same in another spelling (`replyTo` for
 * `reply_to`), one few edits away, or the only one that ends in it (`data` for `template_data`); `undefined` if none is
 * near.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > longestName) return undefined;
  const letters = lettersOf(name);
  const most = Math.min(mostEdits, Math.floor(letters.length / 3));
  const [nearest] = [...known]
    .map((meant) => ({ meant, edits: editsAtMost(most, letters, lettersOf(meant)) }))
    .filter(({ edits }) => edits <= most)
    .toSorted((one, other) => one.edits - other.edits);
  if (nearest !== undefined) return nearest.meant;
  const [longer, ...others] = [...known].filter((one) => letters.length > 3 && one.endsWith(`_${name}`));
  return others.length === 0 ? longer : undefined;
}

/** A name without what its spelling adds: capitals, underscores and hyphens. */
const lettersOf = (name: string): string => name.toLowerCase().replace(/[_-]/g, "");

/**
 * Counts the characters to insert, delete or replace, and the neighbours to swap, so that one text becomes the other
 * (optimal string alignment); infinity if their lengths alone take more than `most`.
 */
function editsAtMost(most: number, from: string, to: string): number {
  if (Math.abs(from.length - to.length) > most) return Number.POSITIVE_INFINITY;
  let earlier: number[] = [];
  let before = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [row, letter] of [...from].entries()) {
    const now = [row + 1];
    for (const [column, other] of [...to].entries()) {
      const [left = 0, above = 0, diagonal = 0] = [now[column], before[column + 1], before[column]];
      const isSwap = letter === to[column - 1] && other === from[row - 1];
      const swapped = (isSwap ? earlier[column - 1] : undefined) ?? Number.POSITIVE_INFINITY;
      now.push(Math.min(left + 1, above + 1, swapped + 1, diagonal + (letter === other ? 0 : 1)));
    }
    [earlier, before] = [before, now];
  }
  return before.at(-1) ?? 0;
}
