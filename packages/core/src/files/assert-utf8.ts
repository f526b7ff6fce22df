import { isUtf8 } from "node:buffer";
import { unreadable } from "./line-form.ts";

const lineFeed = 10;
const carriageReturn = 13;

/** Matches what a chunk may end with and only the next one explains: a character's beginning, or half of a `\r\n`. */
const unfinished = /(?:\r|[\xc2-\xf4][\x80-\xbf]{0,2})$/;

/**
 * Passes a file's content on. Throws as `readLines` does at the first line that is not UTF-8, once the lines before it
 * are passed on.
 */
export async function* assertUtf8(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  /** What is passed on, but not checked. */
  let rest: Uint8Array = new Uint8Array();
  let line = 1;
  for await (const chunk of content) {
    const bytes = Buffer.concat([rest, chunk]);
    const end = bytes.length - unfinishedIn(bytes);
    const { lines, faultAt } = readEnds(bytes.subarray(0, end));
    line += lines;
    if (faultAt !== undefined) {
      yield bytes.subarray(rest.length, Math.max(faultAt, rest.length));
      throw notUtf8(line);
    }
    rest = bytes.subarray(end);
    yield chunk;
  }
  const last = readEnds(Buffer.from(rest));
  if (last.faultAt !== undefined) throw notUtf8(line + last.lines);
}

const unfinishedIn = (bytes: Buffer): number =>
  unfinished.exec(bytes.subarray(-3).toString("latin1"))?.[0].length ?? 0;

const notUtf8 = (line: number): Error =>
  unreadable(line, "it is not UTF-8: save the list as UTF-8, in a spreadsheet as CSV UTF-8");

/** Returns how many lines end before the first that is not UTF-8, and where that begins; or how many end in all. */
function readEnds(bytes: Buffer): { lines: number; faultAt: number | undefined } {
  const isFaulty = !isUtf8(bytes);
  let lines = 0;
  for (let start = 0; ; lines += 1) {
    const end = endOfLine(bytes, start);
    if (isFaulty && !isUtf8(bytes.subarray(start, end))) return { lines, faultAt: start };
    if (end === undefined) return { lines, faultAt: undefined };
    start = end;
  }
}

/** Returns the offset behind the line's end. Spreadsheets on a Mac may end lines by `\r` alone. */
function endOfLine(bytes: Buffer, from: number): number | undefined {
  for (let at = from; at < bytes.length; at += 1)
    if (bytes[at] === lineFeed || (bytes[at] === carriageReturn && bytes[at + 1] !== lineFeed)) return at + 1;
  return undefined;
}
