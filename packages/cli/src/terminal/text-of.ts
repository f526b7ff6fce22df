/** Decodes a file's UTF-8. A byte order mark at its beginning, as some editors on Windows write, is no part of the text. */
export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
