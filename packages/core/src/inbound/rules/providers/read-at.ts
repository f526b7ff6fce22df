/** What stands at a path of hostile JSON; `undefined` for nothing. */
export function valueAt(value: unknown, ...path: string[]): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string, unknown>)[key];
  }
  return found;
}

/** The whole text under a key, however long, `""` for none: what is signed must not be cut. */
export function wholeTextAt(value: unknown, key: string): string {
  const found = valueAt(value, key);
  return typeof found === "string" ? found : "";
}

/** The text at a path, `""` for none and cut where it is endless; a number counts as its text. */
export function textAt(value: unknown, ...path: string[]): string {
  const found = valueAt(value, ...path);
  if (typeof found === "number") return String(found);
  return typeof found === "string" ? found.slice(0, 10_000) : "";
}

/** The list at a path, empty for none. */
export function listAt(value: unknown, ...path: string[]): unknown[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found : [];
}
