import { storable } from "./storable.ts";

const marked = /[\\"]/g;

const itemText = (item: unknown): string => {
  if (item === null || item === undefined) return "null";
  return typeof item === "string" ? `"${item.replace(marked, "\\$&")}"` : String(item);
};

/** A value as PostgreSQL can store it; a list as PostgreSQL's own text, because libraries differ in what they make of one, and of its type. */
export const plainValue = (value: unknown): unknown => {
  const stored = storable(value);
  return Array.isArray(stored) ? `{${stored.map(itemText).join()}}` : stored;
};
