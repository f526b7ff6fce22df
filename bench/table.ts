/** Prints rows as a table, then everything as one JSON line. */
export function report(
  bench: string,
  rows: Record<string, string | number>[],
  summary: Record<string, unknown>,
): void {
  const titles = Object.keys(rows[0] ?? {});
  const cells = rows.map((row) => titles.map((title) => String(row[title] ?? "")));
  const widths = titles.map((title, at) =>
    Math.max(title.length, ...cells.map((row) => row[at]?.length ?? 0)),
  );
  const line = (row: string[]) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join("  ");
  console.log(`\n${bench}\n${[titles, ...cells].map(line).join("\n")}`);
  console.log(JSON.stringify({ bench, ...summary, rows }));
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

export const round = (value: number, digits = 0): number => Math.round(value * 10 ** digits) / 10 ** digits;
