import { oneLine } from "@posthorn/core/internal";

/** A server's reply (RFC 5321 section 4.2). */
export interface SmtpReply {
  code: number;
  /** Code and text on one line, at most 1 KiB. */
  text: string;
  /** Each line's text without its code. */
  lines: string[];
}

/** Parses what a server sends into replies. */
export interface ReplyReader {
  /** Parses bytes. Returns the fault if they are not SMTP or exceed the limits, else `undefined`. */
  feed(chunk: Buffer): string | undefined;
  /** Whether a reply has arrived only in part. */
  isPartial(): boolean;
}

// RFC 5321 section 4.5.3.1.5 allows 512 octets a line; servers exceed it, but not by this much.
const longestLine = 4096;
const maxLines = 200;
const lineFeed = 10;
const carriageReturn = 13;
const blank = 32;
const hyphen = 45;
const zero = 48;
const nothing = Buffer.alloc(0);

/** The code at the begin of a line, which a blank, a hyphen or nothing follows; 0 if there is none. */
function codeOf(line: string): number {
  const [first, second, third] = [
    line.charCodeAt(0) - zero,
    line.charCodeAt(1) - zero,
    line.charCodeAt(2) - zero,
  ];
  const end = line.charCodeAt(3);
  const isCode = first >= 2 && first <= 5 && second >= 0 && second <= 9 && third >= 0 && third <= 9;
  if (!isCode || (line.length > 3 && end !== blank && end !== hyphen)) return 0;
  return 100 * first + 10 * second + third;
}

/** An enhanced status code at the begin of a line (RFC 3463). */
const enhancedCode = /^[245]\.\d{1,3}\.\d{1,3} /;

/** Joins the first lines of a reply. Servers repeat the enhanced status code on each; it is kept once. */
function joinLines(lines: readonly string[]): string {
  const [enhanced] = enhancedCode.exec(lines[0] ?? "") ?? [];
  return lines
    .slice(0, 20)
    .map((line, at) => (at > 0 && enhanced && line.startsWith(enhanced) ? line.slice(enhanced.length) : line))
    .join(" ");
}

/**
 * Creates a parser of replies that buffers at most some 800 KiB, whatever the server sends. A bare line feed ends a
 * line too.
 */
export function createReplyReader(onReply: (reply: SmtpReply) => void): ReplyReader {
  let rest: Buffer = nothing;
  let lines: string[] = [];
  /** The code of the lines so far; 0 if there are none. */
  let code = 0;

  const takeLine = (line: string): string | undefined => {
    const lineCode = codeOf(line);
    if (lineCode === 0) return `the server does not speak SMTP: ${oneLine(line.slice(0, 200))}`;
    if (code !== 0 && lineCode !== code) return "the server changed the code within a reply";
    code = lineCode;
    lines.push(line.slice(4));
    if (lines.length > maxLines) return `the server's reply has more than ${maxLines} lines`;
    if (line.charCodeAt(3) === hyphen) return undefined;
    const text = lines.length === 1 ? line : `${code} ${joinLines(lines)}`;
    const reply = { code, text: oneLine(text), lines };
    code = 0;
    lines = [];
    onReply(reply);
    return undefined;
  };

  return {
    feed(chunk) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let start = 0;
      for (;;) {
        const end = bytes.indexOf(lineFeed, start);
        if ((end === -1 ? bytes.length : end) - start > longestLine) {
          rest = nothing;
          return `the server's reply has a line of more than ${longestLine} bytes`;
        }
        if (end === -1) break;
        let textEnd = end;
        while (textEnd > start && bytes[textEnd - 1] === carriageReturn) textEnd -= 1;
        const fault = takeLine(bytes.toString("utf8", start, textEnd));
        if (fault !== undefined) return fault;
        start = end + 1;
      }
      // Copied, so that a few bytes don't retain the whole chunk.
      rest = start === bytes.length ? nothing : Buffer.from(bytes.subarray(start));
      return undefined;
    },
    isPartial: () => rest.length > 0 || lines.length > 0,
  };
}
