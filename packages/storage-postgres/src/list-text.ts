const marked = /[\\"]/g;

const itemText = (item: unknown): string => {
  if (item === null || item === undefined) return "null";
  return typeof item === "string" ? `"${item.replace(marked, "\\$&")}"` : String(item);
};

/** PostgreSQL's own text for a list of one dimension: libraries differ in what they make of one, and of its type. */
export const listText = (items: readonly unknown[]): string => `{${items.map(itemText).join()}}`;
