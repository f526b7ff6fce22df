import { isUtf8 } from "node:buffer";
import { unreadable } from "./line-form.ts";

const lineFeed = 10;

/**
 * Passes a file's content on. Throws as `readLines` does at the first line that is not UTF-8, before the rest of it is
 * passed on. UTF-16 with its byte order mark passes: the CSV parser reads it.
 */
export async function* assertUtf8(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  /** The beginning of a line, in parts. */
  let begun: Uint8Array[] = [];
  let line = 1;
  let isUtf16: boolean | undefined;
  const check = (lines: Buffer): void => {
    isUtf16 ??= lines[0] === 0xff && lines[1] === 0xfe;
    if (!isUtf16) line = assertLines(lines, line);
  };
  for await (const chunk of content) {
    const end = chunk.lastIndexOf(lineFeed) + 1;
    if (end > 0) {
      check(Buffer.concat([...begun, chunk.subarray(0, end)]));
      begun = [];
    }
    if (isUtf16 !== true && end < chunk.length) begun.push(chunk.subarray(end));
    yield chunk;
  }
  check(Buffer.concat(begun));
}

/** Checks lines, of which the first has the number `from`; returns the number of the line after them. */
function assertLines(lines: Buffer, from: number): number {
  const isFaulty = !isUtf8(lines);
  let line = from;
  for (let start = 0; ; line += 1) {
    const end = lines.indexOf(lineFeed, start) + 1;
    if (isFaulty && !isUtf8(lines.subarray(start, end || undefined)))
      throw unreadable(line, "it is not UTF-8: save the list as UTF-8, in a spreadsheet as CSV UTF-8");
    if (end === 0) return line;
    start = end;
  }
}
