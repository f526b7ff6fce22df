import { createHash } from "node:crypto";

/** Entries of an e-mail's metadata that it can be found by, so that no e-mail costs more rows than that. */
const maxEntries = 20;

/** Longer ones are kept as their digest. */
const longest = 200;

const shortened = (label: string): string =>
  label.length <= longest ? label : `h${createHash("sha256").update(label).digest("base64url")}`;

/** What stands for a tag in `email_labels`. */
export const labelOfTag = (tag: string): string => shortened(`t${tag}`);

/** What stands for an entry of the metadata there: a number and true are found by how they are written. */
export const labelOfEntry = (key: string, value: string): string =>
  shortened(`m${JSON.stringify([key, value])}`);

/** All that an e-mail is found by: its tags, and the first 20 entries of its metadata that are text, number, true or false. */
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
