import { isUtf8 } from "node:buffer";
import { unreadable } from "./line-form.ts";

const lineFeed = 10;
const carriageReturn = 13;

/** Matches what a chunk may end with and only the next one explains: a character's beginning, or half of a `\r\n`. */
const unfinished = /(?:\r|[\xc2-\xf4][\x80-\xbf]{0,2})$/;

/**
 * Passes a file's content on. Throws as `readLines` does at the first line that is not UTF-8, before it is passed on.
 */
export async function* assertUtf8(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  /** What is passed on, but not checked. */
  let rest: Uint8Array = new Uint8Array();
  let line = 1;
  for await (const chunk of content) {
    const bytes = Buffer.concat([rest, chunk]);
    const end = bytes.length - unfinishedIn(bytes);
    line = assertLines(bytes.subarray(0, end), line);
    rest = bytes.subarray(end);
    yield chunk;
  }
  assertLines(Buffer.from(rest), line);
}

const unfinishedIn = (bytes: Buffer): number =>
  unfinished.exec(bytes.subarray(-3).toString("latin1"))?.[0].length ?? 0;

/** Checks lines, of which the first has the number `from`; returns the number of the last. */
function assertLines(lines: Buffer, from: number): number {
  const isFaulty = !isUtf8(lines);
  let line = from;
  for (let start = 0; ; line += 1) {
    const end = endOfLine(lines, start);
    if (isFaulty && !isUtf8(lines.subarray(start, end)))
      throw unreadable(line, "it is not UTF-8: save the list as UTF-8, in a spreadsheet as CSV UTF-8");
    if (end === undefined) return line;
    start = end;
  }
}

/** Returns the offset behind the line's end. Spreadsheets on a Mac may end lines by `\r` alone. */
function endOfLine(bytes: Buffer, from: number): number | undefined {
  for (let at = from; at < bytes.length; at += 1)
    if (bytes[at] === lineFeed || (bytes[at] === carriageReturn && bytes[at + 1] !== lineFeed)) return at + 1;
  return undefined;
}
