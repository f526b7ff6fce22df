import type { LineForm } from "../../files/line-form.ts";
import { addressOfCell } from "../../rules/address-of-cell.ts";
import { columnKey, type ImportedFields, namesColumns } from "../rules/read-entry.ts";
import { parseSuppressed } from "../rules/suppression-key.ts";

/** The columns of a file without a header line. */
const unnamed = ["email", "reason", "scope", "created_at", "expires_at"].map(columnKey);

/** The line format of a list of suppressions. */
export const suppressionLines: LineForm<ImportedFields> = {
  // Maximum bytes of a line: enough for a mail server's reply as the reason.
  maxLineBytes: 64 * 1024,
  // Such a reply may be in any encoding, and its address must be suppressed all the same.
  mustBeUtf8: false,
  wanted: "the first line has neither a column email nor an address",
  columns(first) {
    if (namesColumns(first)) return { names: first.map(columnKey), isHeader: true };
    return parseSuppressed(addressOfCell(first[0] ?? "")) && { names: unnamed, isHeader: false };
  },
  row: (cells) => Object.fromEntries(cells),
  object: (value) =>
    Object.fromEntries(
      Object.entries(value).flatMap(([name, cell]) =>
        typeof cell === "string" || typeof cell === "number" ? [[columnKey(name), String(cell)]] : [],
      ),
    ),
};
