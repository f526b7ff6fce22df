/** Longest line that may hold an encoded-word (RFC 2047 section 2). */
const maximumLine = 76;
const maximumWord = 75;
const overhead = "=?UTF-8?Q?".length + "?=".length;
/** Room for the longest character in both encodings: four bytes. */
const leastRoom = 12;
/** Characters that "Q" leaves unencoded in a phrase (RFC 2047 section 5, rule 3), which is safe everywhere. */
const isPlain = /^[A-Za-z0-9!*+/-]$/;

/**
 * Writes text as UTF-8 encoded-words (RFC 2047), in the shorter of "B" and "Q", each of at most 75 characters and with
 * whole code points. Decoders drop the separators, so the text is restored exactly. The first word gets at least 24
 * characters: if the line has less room, the caller must begin a new one. `column` is where the first word begins,
 * counted from 0.
 */
export function encodeWords(text: string, column: number): string[] {
  const characters = Array.from(text.toWellFormed());
  const quoted = characters.map(quote);
  const quotedLength = quoted.reduce((sum, part) => sum + part.length, 0);
  const inBase64 = 4 * Math.ceil(Buffer.byteLength(text) / 3) < quotedLength;
  const words: string[] = [];
  let room = Math.max(Math.min(maximumWord, maximumLine - column) - overhead, leastRoom);
  let start = 0;
  let used = 0;
  const cut = (end: number) => {
    words.push(
      inBase64
        ? `=?UTF-8?B?${Buffer.from(characters.slice(start, end).join("")).toString("base64")}?=`
        : `=?UTF-8?Q?${quoted.slice(start, end).join("")}?=`,
    );
    start = end;
    used = 0;
    room = maximumWord - overhead;
  };
  for (const [index, character] of characters.entries()) {
    const cost = inBase64 ? Buffer.byteLength(character) : (quoted[index] ?? "").length;
    const total = inBase64 ? 4 * Math.ceil((used + cost) / 3) : used + cost;
    if (total > room && used > 0) cut(index);
    used += cost;
  }
  if (start < characters.length) cut(characters.length);
  return words;
}

function quote(character: string): string {
  if (character === " ") return "_";
  if (isPlain.test(character)) return character;
  let text = "";
  for (const byte of Buffer.from(character)) text += "=" + byte.toString(16).toUpperCase().padStart(2, "0");
  return text;
}
