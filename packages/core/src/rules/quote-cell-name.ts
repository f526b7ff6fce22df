/**
 * Quotes the name in a cell such as `Doe, Jane <jane@b.example>`, as address books export it: in a list of addresses the
 * comma would separate two, but a cell holds one. A name with an `@` may be another address and stays as it is.
 */
export function quoteCellName(cell: string): string {
  const open = cell.lastIndexOf("<");
  const name = cell.slice(0, Math.max(open, 0)).trim();
  return name === "" || /["<>@\\]/.test(name) ? cell : `"${name}" ${cell.slice(open)}`;
}
