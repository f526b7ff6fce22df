import type { MailMessage } from "@posthorn/core";
import { asciiBytes } from "./ascii-bytes.ts";
import { assertHeaderSafe } from "./assert-header-safe.ts";
import { type Composites, noComposites, readComposites } from "./composites.ts";
import { extraField, mailboxField, textField } from "./header-field.ts";
import { gather, type MessageSource, sourceOf } from "./message-source.ts";
import { type MimePart, messagePart } from "./mime-part.ts";

/** The fields that only the message itself sets. */
const reserved =
  /^(?:from|sender|to|cc|bcc|reply-to|subject|date|message-id|mime-version|content-.*|dkim-signature|received|return-path)$/i;

/**
 * Writes a message as Internet mail (RFC 5322, 2045, 2047, 2231): ASCII in CRLF lines, without a Bcc field. The same
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
  let source = mailboxField("From", [message.from]);
  if (message.sender !== undefined) source += mailboxField("Sender", [message.sender]);
  source += mailboxField("To", message.to);
  source += mailboxField("Cc", message.cc);
  source += mailboxField("Reply-To", message.replyTo);
  source += textField("Subject", message.subject);
  source += `Date: ${new Date(message.date).toUTCString().replace("GMT", "+0000")}\r\n`;
  source += `Message-ID: ${message.messageId}\r\nMIME-Version: 1.0\r\n`;
  for (const { name, value } of message.headers) {
    if (reserved.test(name)) throw new TypeError(`header field ${name} is set by the message itself`);
    source += extraField(name, value);
  }
  return join(`${source}${body.fields}\r\n`, body.content);
}

/** Header and body as bytes; the message ends with a line end. */
function join(header: string, content: MimePart["content"]): MessageSource {
  const [first = "", ...others] = content;
  const pieces = typeof first === "string" ? [header + first, ...others] : [header, first, ...others];
  const last = pieces.at(-1);
  if (typeof last === "string" && !last.endsWith("\r\n")) pieces[pieces.length - 1] = `${last}\r\n`;
  return sourceOf(pieces.map((piece) => (typeof piece === "string" ? asciiBytes(piece) : piece)));
}
