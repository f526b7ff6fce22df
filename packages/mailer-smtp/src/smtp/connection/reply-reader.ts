import { isAscii, isUtf8 } from "node:buffer";
import { oneLine } from "@posthorn/core/internal";

/** A server's reply (RFC 5321 section 4.2). */
export interface SmtpReply {
  code: number;
  /** Code and text on one line, at most 1 KiB. */
  text: string;
  /** The first lines' text without the code. */
  lines: string[];
}

/** Parses what a server sends into replies. */
export interface ReplyReader {
  /** Parses bytes. Returns the fault if they are not SMTP or exceed the limits, else `undefined`. */
  feed(chunk: Buffer): string | undefined;
  /**
   * Nothing follows. A last line without its end that accepts is a reply: it would leave in doubt a message that the server has.
   * One that refuses is none, as its words may say of what.
   */
  end(): void;
  /** Whether a reply has arrived only in part. */
  isPartial(): boolean;
}

/** Bytes of a line, and lines of a reply, that are kept: RFC 5321 section 4.5.3.1.5 allows 512 octets a line. */
const keptOfLine = 4096;
const keptLines = 200;
const longestReply = 2 * 1024 * 1024;
const lineFeed = 10;
const carriageReturn = 13;
const blank = 32;
const hyphen = 45;
const zero = 48;
const nothing = Buffer.alloc(0);

/** The code at the begin of a line, which a blank, a hyphen or nothing follows; 0 if there is none. */
function codeOf(line: string): number {
  const first = line.charCodeAt(0) - zero;
  const second = line.charCodeAt(1) - zero;
  const third = line.charCodeAt(2) - zero;
  const end = line.charCodeAt(3);
  const isCode = first >= 2 && first <= 5 && second >= 0 && second <= 9 && third >= 0 && third <= 9;
  if (!isCode || (line.length > 3 && end !== blank && end !== hyphen)) return 0;
  return 100 * first + 10 * second + third;
}

/** What is not UTF-8 is most likely Latin-1, as in words of older servers. */
const decode = (line: Buffer): string => line.toString(isUtf8(line) ? "utf8" : "latin1");

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
 * Creates a parser of replies that buffers at most some 800 KiB, whatever the server sends. What it does not keep of a
 * long reply it skips: a fault would leave a message in doubt that the server has accepted. A bare line feed ends a line
 * too.
 */
export function createReplyReader(onReply: (reply: SmtpReply) => void): ReplyReader {
  /** The begin of a line whose end has not arrived. */
  let rest: Buffer = nothing;
  let lines: string[] = [];
  /** The code of the lines so far; 0 if there are none. */
  let code = 0;
  /** Bytes of the lines so far. */
  let size = 0;

  const takeLine = (line: string): string | undefined => {
    const lineCode = codeOf(line);
    if (lineCode === 0) return `the server does not speak SMTP: ${oneLine(line.slice(0, 200))}`;
    if (code !== 0 && lineCode !== code) return "the server changed the code within a reply";
    code = lineCode;
    if (lines.length < keptLines) lines.push(line.slice(4));
    if (line.charCodeAt(3) === hyphen) return undefined;
    const text = lines.length === 1 ? line : `${code} ${joinLines(lines)}`;
    const reply = { code, text: oneLine(text), lines };
    code = 0;
    lines = [];
    size = 0;
    onReply(reply);
    return undefined;
  };

  return {
    feed(chunk) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      // Asked once for all lines: of most, no view of their bytes is made, for which V8 allocates a buffer.
      const isPlain = isAscii(bytes);
      let start = 0;
      for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
        let textEnd = Math.min(end, start + keptOfLine);
        while (textEnd > start && bytes[textEnd - 1] === carriageReturn) textEnd -= 1;
        size += end - start;
        // Not cut from one text: V8 writes JSON with a part of another text, as in an attempt's trace, by its slow way.
        const fault = takeLine(
          isPlain ? bytes.toString("latin1", start, textEnd) : decode(bytes.subarray(start, textEnd)),
        );
        if (fault !== undefined) return fault;
        start = end + 1;
      }
      // Copied, so that a few bytes don't retain the whole chunk.
      rest = start === bytes.length ? nothing : Buffer.from(bytes.subarray(start, start + keptOfLine));
      size += bytes.length - start - rest.length;
      return size > longestReply ? `the server's reply has more than ${longestReply} bytes` : undefined;
    },
    end() {
      const line = decode(rest);
      rest = nothing;
      if (/^2\d\d /.test(line)) takeLine(line);
    },
    isPartial: () => rest.length > 0 || lines.length > 0,
  };
}
