/** A row of a log whose ids mostly grow with time. */
interface Dated {
  id: number;
  created_at: number;
}

/**
 * Looks at rows at doubling distances for one from before a time, for retention, which found none up to `after`: returns
 * an id before it and after the others; `undefined` if there seems to be none. `nextAfter` finds the first row after an
 * id.
 */
export async function findOlder(
  nextAfter: (id: number) => Promise<Dated | undefined>,
  { before, after, distance: first }: { before: number; after: number; distance: number },
): Promise<number | undefined> {
  let passed = after;
  for (let distance = first; ; distance *= 2) {
    const found = await nextAfter(after + distance);
    if (found === undefined) return undefined;
    if (found.created_at < before) return passed;
    passed = found.id;
  }
}
