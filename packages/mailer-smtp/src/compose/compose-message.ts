import type { MailAttachment, MailMessage } from "@posthorn/core";
import { asciiBytes } from "./ascii-bytes.ts";
import { assertHeaderSafe } from "./assert-header-safe.ts";
import { type Composites, noComposites, readComposites } from "./composites.ts";
import { extraField, mailboxField, textField } from "./header-field.ts";
import { isInternational } from "./is-international.ts";
import { endLine, gather, type MessageSource, sourceOf } from "./message-source.ts";
import { isText, type MimePart, messagePart } from "./mime-part.ts";

/** The fields that only the message itself sets. */
const reserved =
  /^(?:from|sender|to|cc|bcc|reply-to|subject|date|message-id|mime-version|content-.*|dkim-signature|received|return-path)$/i;

/**
 * Writes a message as Internet mail (RFC 5322, 2045, 2047, 2231): ASCII in CRLF lines, but for addresses beyond it, which stand in UTF-8
 * (RFC 6532), without a Bcc field. The same
 * message gives the same bytes, so a second attempt can be recognised. Throws a TypeError for a header field that
 * holds a line break or NUL, or one that the message has set already: the caller checks these first.
 */
export async function composeMessage(message: MailMessage): Promise<Buffer> {
  return gather(composeSource(message, await readComposites(message)));
}

/** The same, with files left to be read when they are sent, but for those that were read before. */
export function composeSource(message: MailMessage, composites: Composites = noComposites): MessageSource {
  assertHeaderSafe(message.messageId, "Message-ID");
  if (!/^<[!-;=?-~]+>$/.test(message.messageId)) throw new TypeError("Message-ID is not of the form <…>");
  const body = messagePart(message, composites);
  let people = mailboxField("From", [message.from]);
  if (message.sender !== undefined) people += mailboxField("Sender", [message.sender]);
  people += mailboxField("To", message.to);
  people += mailboxField("Cc", message.cc);
  people += mailboxField("Reply-To", message.replyTo);
  let source = textField("Subject", message.subject);
  source += `Date: ${new Date(message.date).toUTCString().replace("GMT", "+0000")}\r\n`;
  source += `Message-ID: ${message.messageId}\r\nMIME-Version: 1.0\r\n`;
  for (const { name, value } of message.headers) {
    if (reserved.test(name)) throw new TypeError(`header field ${name} is set by the message itself`);
    source += extraField(name, value);
  }
  const rest = `${source}${body.fields}\r\n`;
  return join(isInternational(people) ? [Buffer.from(people), rest] : [people + rest], body.content);
}

/** Header and body as bytes, all text between two files in one piece; the message ends with a line end. */
function join(header: (string | Buffer)[], content: MimePart["content"]): MessageSource {
  const parts: (Buffer | MailAttachment)[] = [];
  let texts = header;
  for (const piece of content) {
    if (isText(piece)) texts.push(piece);
    else {
      parts.push(asciiBytes(texts), piece);
      texts = [];
    }
  }
  if (texts.length > 0) {
    if (!endsLine(texts)) texts.push("\r\n");
    if (parts.length === 0) {
      const ended = asciiBytes([...texts, endLine]);
      return { ...sourceOf([ended.subarray(0, -endLine.length)]), ended };
    }
    parts.push(asciiBytes(texts));
  }
  return sourceOf(parts);
}

function endsLine(texts: readonly (string | Buffer)[]): boolean {
  const end = texts
    .slice(-2)
    .map((text) => (typeof text === "string" ? text.slice(-2) : text.subarray(-2).toString("latin1")))
    .join("");
  return end.endsWith("\r\n");
}
