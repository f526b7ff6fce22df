import { isJsonObject } from "@posthorn/core/internal";

/**
 * Removes NUL from the names of a body's attachments, its own and those of a batch's e-mails, because a file's name
 * loses its control characters instead of being refused (platform.md P3). Returns whether there was any.
 */
export function cleanFileNames(body: unknown): boolean {
  const holders = [body, ...listIn(body, "emails")];
  const files = holders.flatMap((holder) => listIn(holder, "attachments")).filter(hasNulInName);
  for (const file of files) file.filename = file.filename.replaceAll("\0", "");
  return files.length > 0;
}

function listIn(holder: unknown, key: string): unknown[] {
  const list: unknown = isJsonObject(holder) ? holder[key] : undefined;
  return Array.isArray(list) ? list : [];
}

const hasNulInName = (file: unknown): file is { filename: string } =>
  isJsonObject(file) && typeof file["filename"] === "string" && file["filename"].includes("\0");
