/** Rows of values, of one shape. */
export type ValueRows = readonly Readonly<Record<string, unknown>>[];

/** Minimum rows of which those values that all share are bound once. */
export const leastSharing = 4;

/** Maximum columns of rows that are looked at: their bits fit into an integer. */
const maxColumns = 30;

/** The bits of that many columns; none if they are too many. */
export const allColumns = (count: number): number => (count > maxColumns ? 0 : (1 << count) - 1);

/** Whether a column is among those of the bits. */
export const isShared = (shared: number, column: number): boolean => (shared & (1 << column)) !== 0;

/**
 * The columns that have the same value in that many rows, a bit for each: values that need to be bound only once. At most all but
 * one, as the others say how many rows there are.
 */
export function sharedBy(rows: ValueRows, columns: readonly string[], start: number, size: number): number {
  if (columns.length > maxColumns) return 0;
  let shared = 0;
  for (let at = 0; at < columns.length; at += 1) {
    const column = columns[at] as string;
    const value = rows[start]?.[column];
    let index = start + 1;
    while (index < start + size && rows[index]?.[column] === value) index += 1;
    if (index === start + size) shared |= 1 << at;
  }
  const all = allColumns(columns.length);
  return shared === all ? all - 1 : shared;
}

/**
 * Which choice of columns fits rows that share these: an equal one, a new one while there are fewer than `room`, or else
 * the one that shares most of them. The first choice shares none.
 */
export function choiceOf(choices: number[], shared: number, room: number): number {
  const exact = choices.indexOf(shared);
  if (exact >= 0) return exact;
  if (choices.length < room) return choices.push(shared) - 1;
  let best = 0;
  for (const [at, choice] of choices.entries())
    if ((choice & ~shared) === 0 && countOf(choice) > countOf(choices[best] ?? 0)) best = at;
  return best;
}

const countOf = (bits: number): number => bits.toString(2).replaceAll("0", "").length;
