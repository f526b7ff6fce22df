import type { MailAttachment, MailMessage } from "@posthorn/core";
import { assertHeaderSafe } from "./assert-header-safe.ts";
import { filenameParameter } from "./filename-parameter.ts";
import { type EncodedBody, encodeBytes, encodeText } from "./transfer-encoding.ts";

/** A MIME entity (RFC 2045): its Content-* fields and its body, both ending as the next boundary needs them. */
export interface MimePart {
  fields: string;
  content: string;
}

/** Builds the MIME tree of a message: mixed(alternative(text, related(html, inline files)), files), as far as needed. */
export function messagePart(message: MailMessage): MimePart {
  const inline =
    message.html === "" ? [] : message.attachments.filter(({ contentId }) => contentId !== undefined);
  const files = message.attachments.filter((attachment) => !inline.includes(attachment));
  const alternatives: MimePart[] = [];
  if (message.text !== "" || message.html === "") alternatives.push(textPart("plain", message.text));
  if (message.html !== "") {
    const html = textPart("html", message.html);
    alternatives.push(
      multipart("related", [html, ...inline.map(filePart)], message.emailId, '; type="text/html"'),
    );
  }
  const body = multipart("alternative", alternatives, message.emailId);
  return multipart("mixed", [body, ...files.map(filePart)], message.emailId);
}

function textPart(subtype: string, text: string): MimePart {
  return leaf(`text/${subtype}; charset=utf-8`, encodeText(text), "");
}

function leaf(contentType: string, body: EncodedBody, further: string): MimePart {
  const fields = `Content-Type: ${contentType}\r\nContent-Transfer-Encoding: ${body.encoding}\r\n${further}`;
  return { fields, content: body.content };
}

function filePart(attachment: MailAttachment): MimePart {
  const contentType = attachment.contentType;
  if (!/^[!-~][ -~]*$/.test(contentType))
    throw new TypeError("an attachment's content type is not printable ASCII");
  // These may not be encoded as base64 (RFC 2045 section 6.4), so they travel as plain bytes.
  const isComposite = /^(?:multipart|message)\//i.test(contentType);
  let further = `Content-Disposition: ${attachment.contentId === undefined ? "attachment" : "inline"}`;
  further += filenameParameter(attachment.filename) + "\r\n";
  if (attachment.contentId !== undefined) further += contentIdField(attachment.contentId);
  return leaf(
    isComposite ? "application/octet-stream" : contentType,
    encodeBytes(attachment.content),
    further,
  );
}

function contentIdField(contentId: string): string {
  assertHeaderSafe(contentId, "contentId");
  const id = contentId.replace(/^<|>$/g, "");
  if (!/^[!-;=?-~]+$/.test(id)) throw new TypeError("a contentId is not printable ASCII without spaces");
  return `Content-ID: <${id}>\r\n`;
}

/** Joins parts under a boundary made from the e-mail's id, so that every attempt has the same bytes. One part stays itself. */
function multipart(subtype: string, parts: MimePart[], emailId: string, parameters = ""): MimePart {
  const [first, ...others] = parts;
  if (first !== undefined && others.length === 0) return first;
  const boundary = freeBoundary(subtype, parts, emailId);
  let content = "";
  for (const part of parts) content += `--${boundary}\r\n${part.fields}\r\n${part.content}\r\n`;
  return {
    fields: `Content-Type: multipart/${subtype}${parameters};\r\n boundary="${boundary}"\r\n`,
    content: `${content}--${boundary}--\r\n`,
  };
}

function freeBoundary(subtype: string, parts: MimePart[], emailId: string): string {
  // "=_" is in no quoted-printable and no base64 body (RFC 2045 section 6.7), so only 7bit text can hold the boundary.
  const stem = `=_${subtype}_${emailId.replace(/[^A-Za-z0-9-]/g, "").slice(0, 40)}`;
  for (let attempt = 0; ; attempt += 1) {
    const boundary = attempt === 0 ? stem : `${stem}_${attempt}`;
    if (!parts.some(({ content }) => content.includes(`--${boundary}`))) return boundary;
  }
}
