import type { MailAttachment, MailMessage } from "@posthorn/core";
import { joinParts } from "@posthorn/core/internal";
import { assertHeaderSafe } from "./assert-header-safe.ts";
import type { AttachedMessages } from "./attached-messages.ts";
import type { Scratch } from "./create-scratch.ts";
import { encodeParts } from "./encode-parts.ts";
import { filenameParameter, nameParameter } from "./filename-parameter.ts";
import { type EncodedBody, encodeComposite, encodeText } from "./transfer-encoding.ts";

/** A piece of a message: text, bytes, or a file. */
type MimePiece = string | Buffer | MailAttachment;

/** A MIME entity (RFC 2045): its Content-* fields and its body. */
export interface MimePart {
  fields: string;
  /**
   * In order: ASCII as text or bytes, and files that are read when they are sent. A file begins and ends at a line
   * boundary.
   */
  content: readonly MimePiece[];
  /**
   * Whether the entity holds text in 7bit, which could contain a boundary or a line that begins with a dot. Neither
   * quoted-printable nor base64 contains "=_" (RFC 2045 section 6.7), and ours never begins a line with a dot.
   */
  isPlain: boolean;
}

/**
 * Builds the MIME tree of a message: mixed(related(alternative(text, html, calendar), inline files), files), leaving
 * out what it does not need. A file with a content id is inline only if there is HTML to refer to it.
 */
export function messagePart(message: MailMessage, composites: AttachedMessages, scratch: Scratch): MimePart {
  const { html, text } = bodyOf(message, scratch);
  const inline =
    html === undefined ? [] : message.attachments.filter(({ contentId }) => contentId !== undefined);
  const files = message.attachments.filter((attachment) => !inline.includes(attachment));
  const alternatives: MimePart[] = [];
  if (text !== undefined || html === undefined)
    alternatives.push(leaf("text/plain; charset=utf-8", text ?? encodeText("")));
  if (html !== undefined) alternatives.push(leaf("text/html; charset=utf-8", html));
  if (message.calendar !== undefined) alternatives.push(calendarPart(message.calendar));
  const body = multipart("alternative", alternatives, message.emailId);
  if (message.attachments.length === 0) return body;
  const type = alternatives.length > 1 ? "multipart/alternative" : "text/html";
  // Readers append an inline text to the body, and it is no file any more; a reference by id works either way.
  const beside = inline.map((file) =>
    filePart(file, /^text\//i.test(file.contentType) ? "attachment" : "inline", composites),
  );
  const others = files.map((file) => filePart(file, "attachment", composites));
  const related = multipart("related", [body, ...beside], message.emailId, `; type="${type}"`);
  return multipart("mixed", [related, ...others], message.emailId);
}

/**
 * Encodes the text and the HTML; `undefined` for the one the message lacks. With template parts, the constant literals
 * are not encoded again.
 */
function bodyOf(
  message: MailMessage,
  scratch: Scratch,
): { html: EncodedBody | undefined; text: EncodedBody | undefined } {
  // Each reading of the parts after the first renders them again.
  const { parts } = message;
  const encoded = (kind: "html" | "text"): EncodedBody | undefined => {
    if (parts === undefined) return message[kind] === "" ? undefined : encodeText(message[kind]);
    const text = parts[kind];
    if (text === undefined || text.parts.length === 0) return undefined;
    const body = encodeParts(text, scratch) ?? encodeText(joinParts(text));
    return isEmpty(body) ? undefined : body;
  };
  return { html: encoded("html"), text: encoded("text") };
}

const isEmpty = ({ content }: EncodedBody): boolean => content.every(({ length }) => length === 0);

/**
 * A calendar object, such as an invitation (RFC 5546, RFC 6047), which calendar software finds as an alternative of the
 * text.
 */
function calendarPart({ method, content }: NonNullable<MailMessage["calendar"]>): MimePart {
  if (!/^[A-Z]{1,20}$/.test(method))
    throw new TypeError("calendar.method is not a method of iTIP, such as REQUEST");
  return leaf(`text/calendar; charset=utf-8; method=${method}`, encodeText(content));
}

function leaf(contentType: string, body: EncodedBody, further = ""): MimePart {
  const fields = `Content-Type: ${contentType}\r\nContent-Transfer-Encoding: ${body.encoding}\r\n${further}`;
  return { fields, content: body.content, isPlain: body.encoding === "7bit" };
}

function filePart(
  attachment: MailAttachment,
  disposition: "attachment" | "inline",
  composites: AttachedMessages,
): MimePart {
  const { contentType, filename, contentId } = attachment;
  if (!/^[!#$%&'*+.^_`{|}~\w-]+\/[!#$%&'*+.^_`{|}~\w-]+(?:[ \t]*;[ -~]*)?$/.test(contentType))
    throw new TypeError("an attachment's content type is not of the form type/subtype, in printable ASCII");
  let further = `Content-Disposition: ${disposition}${filenameParameter(filename)}\r\n`;
  if (contentId !== undefined) further += contentIdField(contentId);
  const name = /;\s*name\*?\s*=/i.test(contentType) ? "" : nameParameter(filename);
  const fields = (type: string) =>
    `Content-Type: ${type}${name}\r\nContent-Transfer-Encoding: base64\r\n${further}`;
  const content = attachment.size === 0 ? [""] : [attachment];
  if (!/^(?:multipart|message)\//i.test(contentType))
    return { fields: fields(contentType), content, isPlain: false };
  // Attached messages may not be encoded (RFC 2045 section 6.4): if one can't be sent
  // unencoded, it is sent as an octet stream.
  const read = composites.get(attachment);
  const whole = read && encodeComposite(read);
  if (whole === undefined) return { fields: fields("application/octet-stream"), content, isPlain: false };
  return leaf(contentType + name, whole, further);
}

function contentIdField(contentId: string): string {
  assertHeaderSafe(contentId, "contentId");
  const id = contentId.replace(/^<|>$/g, "");
  if (!/^[!-;=?-~]+$/.test(id)) throw new TypeError("a contentId is not printable ASCII without spaces");
  return `Content-ID: <${id}>\r\n`;
}

/**
 * Joins parts under a boundary derived from the e-mail's id, so that every attempt has the same bytes. A single part is
 * returned unchanged.
 */
function multipart(subtype: string, parts: MimePart[], emailId: string, parameters = ""): MimePart {
  const [first, ...others] = parts;
  if (first !== undefined && others.length === 0) return first;
  const boundary = freeBoundary(subtype, parts, emailId);
  const content: MimePiece[] = [];
  for (const part of parts) {
    content.push(`--${boundary}\r\n${part.fields}\r\n`);
    for (const piece of part.content) content.push(piece);
    const last = part.content.at(-1);
    // The line end before a boundary belongs to the boundary, and a file already ends with one.
    if (last === undefined || isText(last)) content.push("\r\n");
  }
  content.push(`--${boundary}--\r\n`);
  return {
    fields: `Content-Type: multipart/${subtype}${parameters};\r\n boundary="${boundary}"\r\n`,
    content,
    isPlain: parts.some(({ isPlain }) => isPlain),
  };
}

function freeBoundary(subtype: string, parts: MimePart[], emailId: string): string {
  const stem = `=_${subtype}_${emailId.replace(/[^A-Za-z0-9-]/g, "").slice(0, 40)}`;
  const suspects = parts.filter(({ isPlain }) => isPlain);
  for (let attempt = 0; ; attempt += 1) {
    const boundary = attempt === 0 ? stem : `${stem}_${attempt}`;
    if (!suspects.some(({ content }) => holds(content, boundary))) return boundary;
  }
}

/** Whether a piece is text or bytes rather than a file. */
export const isText = (piece: MimePiece): piece is string | Buffer =>
  typeof piece === "string" || Buffer.isBuffer(piece);

const holds = (content: MimePart["content"], boundary: string): boolean =>
  content.some((piece) => isText(piece) && piece.includes(`--${boundary}`));
