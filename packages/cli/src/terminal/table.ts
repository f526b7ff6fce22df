import stringWidth from "string-width";
import { paint } from "./paint.ts";
import { safeText } from "./safe-text.ts";

/** A column of a table: its title, and how a row's cell reads. */
export interface Column<T> {
  title: string;
  cell(row: T): string | number | boolean | null | undefined;
  align?: "right";
}

/**
 * Rows as a table of aligned columns; where that is wider than the terminal, as lines of title and value, a block a row: a terminal
 * breaks lines anywhere, inside addresses and ids as well. `width` is in columns of the terminal, of which some characters take two.
 */
export function formatTable<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  width = process.stdout.columns ?? Number.POSITIVE_INFINITY,
): string {
  if (rows.length === 0) return `${paint("dim", "none")}\n`;
  const titles = columns.map(({ title }) => title);
  const cells = rows.map((row) => columns.map(({ cell }) => formatValue(cell(row))));
  const widths = titles.map((title, at) =>
    Math.max(stringWidth(title), ...cells.map((row) => stringWidth(row[at] ?? ""))),
  );
  const total = widths.reduce((sum, one) => sum + one, 2 * (widths.length - 1));
  if (total > width) {
    const blocks = cells.map((row) => formatFields(titles.map((title, at) => [title, row[at] ?? ""])));
    return blocks.join("\n");
  }
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => padText(cell, widths[at] ?? 0, columns[at]?.align))
      .join("  ")
      .trimEnd();
  return `${[paint("bold", line(titles)), ...cells.map(line)].join("\n")}\n`;
}

/** Lines of name and value. */
export function formatFields(fields: readonly (readonly [string, unknown])[]): string {
  const width = Math.max(...fields.map(([name]) => stringWidth(name)));
  return fields
    .map(([name, value]) => `${paint("dim", padText(name, width))}  ${formatValue(value)}\n`)
    .join("");
}

/** A text filled up with blanks to so many columns of the terminal. */
export function padText(text: string, width: number, align?: "right"): string {
  const blanks = " ".repeat(Math.max(0, width - stringWidth(text)));
  return align === "right" ? `${blanks}${text}` : `${text}${blanks}`;
}

/** A value as people read it, safe to show. */
function formatValue(value: unknown): string {
  if (value === undefined || value === null || value === "") return "–";
  return safeText(typeof value === "object" ? JSON.stringify(value) : String(value));
}
