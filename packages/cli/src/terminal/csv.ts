/** Returns the header line, from the fields of the first row (RFC 4180). */
export const csvHeader = (row: unknown): string => csvNames(Object.keys(fieldsOf(row)));

/** Returns the header line of these fields. */
export const csvNames = (names: readonly string[]): string => `${names.map(cellOf).join(",")}\r\n`;

/** Returns a row as one line, in the order of the first row's fields. Objects and lists are written as JSON. */
export function csvLine(row: unknown, first: unknown): string {
  const fields = fieldsOf(row);
  return `${Object.keys(fieldsOf(first))
    .map((name) => cellOf(fields[name]))
    .join(",")}\r\n`;
}

function fieldsOf(row: unknown): Record<string, unknown> {
  return typeof row === "object" && row !== null ? { ...row } : { value: row };
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  // A spreadsheet would run a cell with such a beginning as a formula, and a subject may come from anybody.
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
