import { isJsonObject } from "./is-json-object.ts";

/** Returns JSON that does not depend on the order of an object's keys. */
export const canonicalJson = (value: unknown): string => JSON.stringify(value, inOrder) ?? "null";

function inOrder(_: string, value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
