/** Maximum characters of a name in a path. Fields of requests have shorter ones. */
const longestName = 100;

/** Joins names and indices to the path that an error shows. Those of a body may be as long as the body: they are cut. */
export const fieldPath = (parts: readonly PropertyKey[]): string => parts.map(nameOf).join(".");

function nameOf(part: PropertyKey): string {
  const name = String(part);
  return name.length <= longestName ? name : `${name.slice(0, longestName).toWellFormed()}…`;
}
