/** The pattern for `like … escape '\'` that finds `q` anywhere in a lower-cased column, letter by letter. */
export const containing = (q: string): string =>
  `%${q.toLowerCase().replace(/[\\%_]/g, (letter) => `\\${letter}`)}%`;
