import { withoutEscapes } from "./read-message.ts";
import { utf8Text } from "./utf8-text.ts";

/**
 * Decodes the encoded-words of a field (RFC 2047). Those in other encodings than UTF-8 stay one character per byte,
 * which is enough to find ASCII words between them.
 */
export const decodeWords = (value: string): string =>
  value
    .replace(/\?=[ \t]+=\?/g, "?==?")
    .replace(/((?:=\?[\w*-]{1,40}\?[bq]\?[^?\s]{0,200}\?=)+)/gi, (words) => utf8Text(bytesOf(words)));

/** The bytes of adjacent words: servers also divide a letter between two. */
const bytesOf = (words: string): string =>
  words.replace(/=\?[\w*-]+\?([bq])\?([^?\s]*)\?=/gi, (_, encoding: string, text: string) =>
    encoding.toLowerCase() === "b"
      ? Buffer.from(text, "base64").toString("latin1")
      : withoutEscapes(text.replaceAll("_", " ")),
  );
