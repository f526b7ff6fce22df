/** Maximum characters of a name in an error. Fields of requests have shorter ones. */
const longestName = 100;

/** Joins names and indices to the path that an error shows. Those of a body may be as long as the body: they are cut. */
export const fieldPath = (parts: readonly PropertyKey[]): string =>
  parts.map((part) => shownName(String(part))).join(".");

/** Cuts what an error quotes from a body, and which may be as long as the body. */
export const shownName = (name: string): string =>
  name.length <= longestName ? name : `${name.slice(0, longestName).toWellFormed()}…`;
