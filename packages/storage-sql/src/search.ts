/** A pattern for `like … escape '\'` that finds `q` literally anywhere in a lower-cased column. */
export const containing = (q: string): string =>
  `%${q.toLowerCase().replace(/[\\%_]/g, (letter) => `\\${letter}`)}%`;
