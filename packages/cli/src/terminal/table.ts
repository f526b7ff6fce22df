import stringWidth from "fast-string-width";
import { paint } from "./paint.ts";
import { safeText } from "./safe-text.ts";
import { wrapText } from "./wrap-text.ts";

/** A column of a table: its title, and the function that returns a row's cell. */
export interface Column<T> {
  title: string;
  cell(row: T): string | number | boolean | null | undefined;
  align?: "right";
  /**
   * What happens on a narrow terminal: columns without any value are left out, whatever this says; then `repeated` ones,
   * which tell what another tells; then `cut` texts, such as a subject, are cut at the end; then `spare` columns are left
   * out. Others, such as an id, stay whole. Where rows become blocks, `cut` and `wrapped` texts are wrapped
   * between words; others may be copied.
   */
  narrow?: "repeated" | "cut" | "spare" | "wrapped";
}

/** Minimum width in columns of a cut text. */
const leastCut = 10;
const gap = 2;

/**
 * Formats rows as a table of aligned columns. If it is wider than the terminal, texts are cut and spare columns left
 * out; if that isn't enough for most rows, each row becomes a block of title and value lines, because a terminal would
 * break lines anywhere, even inside addresses and ids. `width` is in terminal columns, of which some characters take two.
 */
export function formatTable<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  width = process.stdout.columns || Number.POSITIVE_INFINITY,
): string {
  if (rows.length === 0) return `${paint("dim", "none")}\n`;
  const measured = columns.map((column) =>
    measure(
      column,
      rows.map((row) => formatValue(column.cell(row))),
    ),
  );
  const fitting = fitColumns(measured, width) ?? fitMost(measured, width);
  if (fitting === undefined)
    return rows
      .map((_, at) =>
        formatFields(
          measured.map(({ title, cells, narrow }) => [
            title,
            cells[at] ?? "",
            narrow === "cut" || narrow === "wrapped",
          ]),
          width,
        ),
      )
      .join("\n");
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => {
        const { width: room = 0, narrow, align } = fitting[at] ?? {};
        return padText(narrow === "cut" ? cutText(cell, room) : cell, room, align);
      })
      .join(" ".repeat(gap))
      .trimEnd();
  const titles = paint("bold", line(fitting.map(({ title }) => title)));
  const lines = rows.map((_, at) => line(fitting.map(({ cells }) => cells[at] ?? "")));
  return `${[titles, ...lines].join("\n")}\n`;
}

type Measured<T> = Column<T> & { cells: string[]; width: number };

function measure<T>(column: Column<T>, cells: string[]): Measured<T> {
  const width = cells.reduce((most, cell) => Math.max(most, stringWidth(cell)), stringWidth(column.title));
  return { ...column, cells, width };
}

/**
 * Returns the columns that fit most rows, which the longer addresses of others then exceed: one long address does not
 * make blocks of all rows.
 */
function fitMost<T>(columns: readonly Measured<T>[], room: number): Measured<T>[] | undefined {
  const fitRows = (rows: readonly number[]): Measured<T>[] | undefined =>
    fitColumns(
      columns.map((column) => {
        const { width } = measure(
          column,
          rows.map((row) => column.cells[row] ?? ""),
        );
        return { ...column, width };
      }),
      room,
    );
  const rows = [...(columns[0]?.cells.keys() ?? [])];
  const short = rows.filter((row) => fitRows([row]) !== undefined);
  return short.length > rows.length / 2 ? fitRows(short) : undefined;
}

/** Returns the columns that fit, with their widths; `undefined` if nothing fits. */
function fitColumns<T>(columns: readonly Measured<T>[], room: number): Measured<T>[] | undefined {
  const total = columns.reduce((sum, one) => sum + one.width, gap * (columns.length - 1));
  if (total <= room) return [...columns];
  const blank = columns.findLastIndex(({ cells }) => cells.every((cell) => cell === noValue));
  if (blank > 0) return fitColumns(columns.toSpliced(blank, 1), room);
  const repeated = columns.findLastIndex(({ narrow }) => narrow === "repeated");
  if (repeated >= 0) return fitColumns(columns.toSpliced(repeated, 1), room);
  const least = ({ title, width }: Measured<T>): number =>
    Math.min(width, Math.max(leastCut, stringWidth(title)));
  const slack = columns
    .filter(({ narrow }) => narrow === "cut")
    .reduce((sum, one) => sum + one.width - least(one), 0);
  if (total - slack <= room) {
    let over = total - room;
    // The widest column is cut first, so that short texts stay whole.
    const fitted = columns.map((one) => ({ ...one }));
    const givers = fitted.filter(({ narrow }) => narrow === "cut");
    while (over > 0) {
      const widest = givers.reduce((one, other) =>
        other.width - least(other) > one.width - least(one) ? other : one,
      );
      widest.width -= 1;
      over -= 1;
    }
    return fitted;
  }
  const spare = columns.findLastIndex(({ narrow }) => narrow === "spare");
  // For a list with an id, three columns in a table are more useful than all of them in blocks.
  const last =
    spare < 0 && columns.length > 3 ? columns.findLastIndex(({ narrow }) => narrow === "cut") : spare;
  return last < 0 ? undefined : fitColumns(columns.toSpliced(last, 1), room);
}

const segmenter = new Intl.Segmenter();

/** Cuts a text to a number of terminal columns, with an ellipsis if anything is cut off. */
export function cutText(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = "";
  let taken = 0;
  for (const { segment } of segmenter.segment(text)) {
    taken += stringWidth(segment);
    if (taken > width - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/**
 * Formats lines of name and value. A text with line breaks, such as a message, continues below its beginning. With
 * `width`, in terminal columns, so does a longer line; one with a longer word, or whose field says that it does not wrap,
 * stays in one line, so that it can be copied.
 */
export function formatFields(
  fields: readonly (readonly [name: string, value: unknown, wraps?: boolean])[],
  width = Number.POSITIVE_INFINITY,
): string {
  const names = Math.max(...fields.map(([name]) => stringWidth(name))) + gap;
  const room = width - names;
  return fields
    .map(([name, value, wraps = true]) => {
      const lines = linesOf(value).flatMap((text) => {
        const fits = wraps && text.split(" ").every((word) => stringWidth(word) <= room);
        return fits && stringWidth(text) > room ? wrapText(text, room) : [text];
      });
      return `${paint("dim", padText(name, names))}${lines.join(`\n${" ".repeat(names)}`)}\n`;
    })
    .join("");
}

const linesOf = (value: unknown): string[] =>
  typeof value === "string" && value.includes("\n")
    ? value.trimEnd().split(/\r?\n/).map(safeText)
    : [formatValue(value)];

/** Pads a text with spaces to a number of terminal columns. */
export function padText(text: string, width: number, align?: "right"): string {
  const blanks = " ".repeat(Math.max(0, width - stringWidth(text)));
  // Otherwise a terminal that knows such scripts would show the next column's numbers on the text's left.
  const turned = rightToLeft.test(text) ? `${text}\u200e` : text;
  return align === "right" ? `${blanks}${turned}` : `${turned}${blanks}`;
}

/** Letters of scripts that are written from right to left (Unicode's blocks of Hebrew, Arabic and their like). */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

const noValue = "–";

/** Formats a value for people, safe to show. */
function formatValue(value: unknown): string {
  if (value === undefined || value === null || value === "") return noValue;
  return safeText(typeof value === "object" ? JSON.stringify(value) : String(value));
}
