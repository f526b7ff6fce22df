/**
 * Returns the terminal to ask on. One that says it has no columns, as a pseudo-terminal whose size nobody set, is given
 * the usual ones: a question would be written with one character a line.
 */
export function promptOutput<T extends { columns: number }>(terminal: T): T {
  if (terminal.columns === 0) terminal.columns = 80;
  return terminal;
}
