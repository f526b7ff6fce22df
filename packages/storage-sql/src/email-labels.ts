import { createHash } from "node:crypto";

/** Maximum number of metadata entries that an e-mail can be found by, which bounds its index rows. */
const maxEntries = 20;

/** Longer labels are stored as their digest. */
const longest = 200;

const shortened = (label: string): string =>
  label.length <= longest ? label : `h${createHash("sha256").update(label).digest("base64url")}`;

/** The label of a tag in `email_labels`. */
export const labelOfTag = (tag: string): string => shortened(`t${tag}`);

/** The label of a metadata entry: numbers and booleans are found by their written form. */
export const labelOfEntry = (key: string, value: string): string =>
  shortened(`m${JSON.stringify([key, value])}`);

/**
 * Returns all labels of an e-mail: its tags, and the first 20 metadata entries that are text, number, true or false.
 */
export function labelsOf({
  tags,
  metadata,
}: {
  tags: readonly string[];
  metadata: Readonly<Record<string, unknown>>;
}): string[] {
  const entries = Object.entries(metadata)
    .filter(([, value]) => ["string", "number", "boolean"].includes(typeof value))
    .slice(0, maxEntries);
  return [
    ...new Set([...tags.map(labelOfTag), ...entries.map(([key, value]) => labelOfEntry(key, String(value)))]),
  ];
}
