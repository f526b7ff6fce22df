/** Returns the value at a path of untrusted JSON; `undefined` if there is none. */
export function valueAt(value: unknown, ...path: string[]): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string, unknown>)[key];
  }
  return found;
}

/** Returns the whole text under a key, of any length, `""` if there is none; signed text must not be truncated. */
export function wholeTextAt(value: unknown, key: string): string {
  const found = valueAt(value, key);
  return typeof found === "string" ? found : "";
}

/**
 * Returns the text at a path, `""` if there is none; a number is converted to text. It is truncated if it is too long,
 * and has a replacement character for each that no storage can hold: NUL and half of a surrogate pair.
 */
export function textAt(value: unknown, ...path: string[]): string {
  const found = valueAt(value, ...path);
  if (typeof found === "number") return String(found);
  return typeof found === "string" ? found.slice(0, 10_000).toWellFormed().replaceAll("\0", "\ufffd") : "";
}

/** Returns the list at a path, empty if there is none. */
export function listAt(value: unknown, ...path: string[]): unknown[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found : [];
}
