/** Reads JSON that was stored; `undefined` if it is damaged. One damaged row must not affect others. */
export function readStored(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads a stored object; an empty one if the text is damaged. */
export function readStoredObject(text: string): Record<string, unknown> {
  if (text === "{}") return {};
  const value = readStored(text);
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

/** Reads a stored list; an empty one if the text is damaged. */
export function readStoredList<T>(text: string): T[] {
  if (text === "[]") return [];
  const value = readStored(text);
  return Array.isArray(value) ? value : [];
}
