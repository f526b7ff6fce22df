import type { MailAttachment, MailMessage } from "@posthorn/core";
import { asciiBytes } from "./ascii-bytes.ts";
import { assertHeaderSafe } from "./assert-header-safe.ts";
import { type AttachedMessages, noAttachedMessages, readAttachedMessages } from "./attached-messages.ts";
import { createScratch, type Scratch } from "./create-scratch.ts";
import { type Allocate, createSlab } from "./create-slab.ts";
import { extraField, mailboxField, textField } from "./header-field.ts";
import { isInternational } from "./is-international.ts";
import { endLine, gather, type MessageSource, sourceOf } from "./message-source.ts";
import { isText, type MimePart, messagePart } from "./mime-part.ts";

/** Header fields that only `composeMessage` sets. */
const reserved =
  /^(?:from|sender|to|cc|bcc|reply-to|subject|date|message-id|mime-version|content-.*|dkim-signature|received|return-path)$/i;

/**
 * Writes a message in Internet Message Format (RFC 5322, 2045, 2047, 2231), as ASCII in CRLF lines, without a Bcc
 * field. Only addresses beyond ASCII are written in UTF-8 (RFC 6532). The same message always gives the same bytes, so
 * that a second attempt can be recognised. Throws a TypeError for a header field that contains a line break or NUL, or
 * that the message already sets: callers check both first.
 */
export async function composeMessage(message: MailMessage): Promise<Buffer> {
  return gather(createComposer()(message, await readAttachedMessages(message)));
}

/** Composes messages as sources: files are read when they are sent, except those that were already read. */
export type Composer = (message: MailMessage, composites?: AttachedMessages) => MessageSource;

/** Creates a composer, which reuses the same memory for each message. */
export function createComposer(): Composer {
  const scratch = createScratch();
  const allocate = createSlab();
  const dateField = createDateField();
  return (message, composites = noAttachedMessages) => {
    scratch.clear();
    return composeSource(message, composites, { scratch, allocate, dateField });
  };
}

interface Memory {
  scratch: Scratch;
  allocate: Allocate;
  /** Returns the field Date of a time, ms since the epoch. */
  dateField(ms: number): string;
}

function composeSource(message: MailMessage, composites: AttachedMessages, memory: Memory): MessageSource {
  assertHeaderSafe(message.messageId, "Message-ID");
  if (!/^<[!-;=?-~]+>$/.test(message.messageId)) throw new TypeError("Message-ID is not of the form <…>");
  const body = messagePart(message, composites, memory.scratch);
  let people = mailboxField("From", [message.from]);
  if (message.sender !== undefined) people += mailboxField("Sender", [message.sender]);
  people += mailboxField("To", message.to);
  people += mailboxField("Cc", message.cc);
  people += mailboxField("Reply-To", message.replyTo);
  let source = textField("Subject", message.subject);
  source += memory.dateField(message.date);
  source += `Message-ID: ${message.messageId}\r\nMIME-Version: 1.0\r\n`;
  for (const { name, value } of message.headers) {
    if (reserved.test(name)) throw new TypeError(`header field ${name} is set by the message itself`);
    source += extraField(name, value);
  }
  const rest = `${source}${body.fields}\r\n`;
  const header = isInternational(people) ? [Buffer.from(people), rest] : [people + rest];
  const mayNeedDots = body.isPlain || message.headers.some(({ name }) => name.startsWith("."));
  return join(header, body.content, { mayNeedDots, allocate: memory.allocate });
}

/** Keeps the last field: it tells seconds, so that under load most are equal, and V8 prints each piece by piece. */
function createDateField(): Memory["dateField"] {
  let last = Number.NaN;
  let field = "";
  return (ms) => {
    const second = Math.floor(ms / 1000);
    if (second !== last) field = `Date: ${new Date(ms).toUTCString().replace("GMT", "+0000")}\r\n`;
    last = second;
    return field;
  };
}

/** Joins header and body into bytes, with all text between two files in one piece. The message ends with a line end. */
function join(
  header: (string | Buffer)[],
  content: MimePart["content"],
  { mayNeedDots, allocate }: { mayNeedDots: boolean; allocate: Allocate },
): MessageSource {
  const parts: (Buffer | MailAttachment)[] = [];
  let texts = header;
  for (const piece of content) {
    if (isText(piece)) texts.push(piece);
    else {
      parts.push(asciiBytes(texts, allocate), piece);
      texts = [];
    }
  }
  if (texts.length > 0) {
    if (!endsLine(texts)) texts.push("\r\n");
    if (parts.length === 0) {
      texts.push(endLine);
      const ended = asciiBytes(texts, allocate);
      const only = ended.subarray(0, -endLine.length);
      return { parts: [only], size: only.length, ended, mayNeedDots };
    }
    parts.push(asciiBytes(texts, allocate));
  }
  return sourceOf(parts);
}

function endsLine(texts: readonly (string | Buffer)[]): boolean {
  let end = "";
  for (let index = texts.length - 1; end.length < 2 && index >= 0; index -= 1) {
    const text = texts[index] ?? "";
    end = (typeof text === "string" ? text.slice(-2) : text.toString("latin1", text.length - 2)) + end;
  }
  return end.endsWith("\r\n");
}
