/** One changed field of an event's metadata. */
export interface FieldChange {
  from: unknown;
  to: unknown;
}

/** `maxApiKeys` as `max_api_keys`. */
export const snakeCase = (key: string): string =>
  key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** What an update really changes, in the names of the interface: `{field: {from, to}}`; empty where all stays as it was. */
export function changesOf<T extends object>(before: T, changes: Partial<T>): Record<string, FieldChange> {
  const found: Record<string, FieldChange> = {};
  for (const [key, to] of Object.entries(changes)) {
    const from: unknown = before[key as keyof T];
    if (to !== undefined && to !== from) found[snakeCase(key)] = { from, to };
  }
  return found;
}
