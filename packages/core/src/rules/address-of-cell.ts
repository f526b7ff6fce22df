/**
 * Returns the address in a cell of a list, in a form that can be parsed. The name in a cell such as `Doe, Jane
 * <jane@b.example>`, as address books export it, is quoted: in a list of addresses the comma would separate two, but a
 * cell holds one. A name with an `@` may be another address and stays as it is. An apostrophe that protects a spreadsheet
 * from a cell such as `@b.example`, as in the command line's CSV, is none of the address's.
 */
export function addressOfCell(cell: string): string {
  const text = cell.replace(/^'(?=[=+\-@])/, "");
  const open = text.lastIndexOf("<");
  const name = text.slice(0, Math.max(open, 0)).trim();
  return name === "" || /["<>@\\]/.test(name) ? text : `"${name}" ${text.slice(open)}`;
}
