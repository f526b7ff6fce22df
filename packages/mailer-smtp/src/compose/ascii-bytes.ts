/**
 * The bytes of a text that is meant to be ASCII. Throws a TypeError where it is not: cut down to its low bytes, as latin1 is
 * written, U+560D U+560A would come out as a line break.
 */
export function asciiBytes(text: string): Buffer {
  const bytes = Buffer.from(text, "utf8");
  // UTF-8 writes a byte for each ASCII character, and more than one for each UTF-16 unit of any other.
  if (bytes.length !== text.length)
    throw new TypeError("something that is not ASCII reached the message's source");
  return bytes;
}
