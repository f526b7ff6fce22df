/**
 * Decodes a file's UTF-8. A byte order mark at its beginning, as some editors on Windows write, is no part of the text.
 * Throws for bytes that are not UTF-8: all of them would become the same character.
 */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Error("it is not UTF-8 text", { cause });
  }
}
