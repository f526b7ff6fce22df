import type { RequestFields } from "./client.ts";

/** Fields of a send. */
export type RawMail = RequestFields<"POST /emails/send">;

interface Mailbox {
  name?: string;
  address: string;
}

/** A group has the addresses of its members in place of its own. */
type Recipient = Mailbox | { name?: string; group: Mailbox[] };

/** Content that nodemailer has read: text, or bytes as base64. */
interface Content {
  content?: string | Uint8Array;
  encoding?: string;
}

interface Attachment extends Content {
  filename?: string | false;
  contentType?: string;
  cid?: string;
}

/** A message as normalised by nodemailer. */
export interface Normalized {
  envelope?: unknown;
  from?: Mailbox | null;
  sender?: Mailbox | null;
  to?: Recipient[] | null;
  cc?: Recipient[] | null;
  bcc?: Recipient[] | null;
  replyTo?: Recipient[] | null;
  subject?: string;
  html?: string;
  text?: string;
  icalEvent?: Content | null;
  attachments?: Attachment[] | null;
  normalizedHeaders?: Record<string, string | number>;
}

const known = new Set(
  "from sender to cc bcc replyTo subject html text headers inReplyTo references list icalEvent attachments disableFileAccess disableUrlAccess attachDataUrls normalizeHeaderKey maxRecipients".split(
    " ",
  ),
);

/** Nodemailer's is a note for the recipient, as header fields. */
const ownPriority = 'Posthorn\'s orders the queue; for the recipient, give headers: { Importance: "high" }';

/** The input of `sendMail`, as far as it is read before nodemailer normalises it. */
export interface Given {
  headers?: object | null;
  attachments?: (object | null)[] | null;
}

/**
 * Refuses unknown fields, because leaving them out would send a different mail. It takes the input as it was given:
 * nodemailer's normalising drops some of it, such as the `raw` of a file.
 */
export function assertKnown(data: Given): void {
  for (const [name, value] of Object.entries(data))
    if (!known.has(name) && value !== undefined && value !== null && value !== false)
      throw new TypeError(
        `${name}: ${name === "priority" ? ownPriority : "Posthorn's e-mails have no such field"}`,
      );
  for (const [index, file] of (data.attachments ?? []).entries()) {
    if (file === null) continue;
    for (const name of ["headers", "contentTransferEncoding", "raw"])
      if (name in file)
        throw new TypeError(`attachments.${index}.${name}: Posthorn's files have no such field`);
    assertDisposition(file, index);
  }
}

/** Refuses a disposition other than nodemailer's default, which is Posthorn's for all files. */
function assertDisposition(file: { cid?: unknown; contentDisposition?: unknown }, index: number): void {
  const { cid, contentDisposition: given } = file;
  const usual = cid ? "inline" : "attachment";
  if (!given || String(given).toLowerCase() === usual) return;
  throw new TypeError(
    `attachments.${index}.contentDisposition: Posthorn's files are inline if they have a cid, else attached`,
  );
}

/** Refuses several authors, of whom nodemailer's normalising keeps the first. */
export function assertOneAuthor({ from = [] }: { from?: readonly unknown[] } = {}): void {
  if (from.length > 1) throw new TypeError("from: Posthorn's e-mails have one author");
}

/**
 * Returns header fields by their names, which nodemailer also takes as a list. Refuses several of one name, of which its
 * normalising keeps the first.
 */
export function headersByName(headers: object): Record<string, unknown> {
  const pairs: [string, unknown][] = Array.isArray(headers)
    ? headers.map(({ key, value }) => [String(key), value])
    : Object.entries(headers);
  const names = new Set<string>();
  for (const [name, value] of pairs) {
    const isRepeated = names.size === names.add(name.toLowerCase()).size;
    if (isRepeated || (Array.isArray(value) && value.length > 1))
      throw new TypeError(`headers.${name}: Posthorn's e-mails have a header field of a name once`);
  }
  return Object.fromEntries(pairs);
}

/** The mailboxes of a list, those of groups included. */
export const mailboxesOf = (given: Recipient[] | null | undefined): Mailbox[] =>
  (given ?? []).flatMap((each) => ("group" in each ? each.group : [each]));

/** Converts a message normalised by nodemailer to the fields of a send. */
export function fieldsOf(data: Normalized): RawMail {
  const { from, sender, to, cc, bcc, replyTo, subject = "", html, text } = data;
  const { icalEvent, attachments, normalizedHeaders: headers } = data;
  return {
    subject,
    html,
    text,
    to: boxes(to) ?? [],
    cc: boxes(cc),
    bcc: boxes(bcc),
    from: from === null || from === undefined ? undefined : mailboxOf(from),
    sender: sender === null || sender === undefined ? undefined : mailboxOf(sender),
    reply_to: boxes(replyTo),
    calendar: icalEvent === null || icalEvent === undefined ? undefined : textOf(icalEvent),
    attachments:
      attachments === null || attachments === undefined || attachments.length === 0
        ? undefined
        : attachments.map(fileOf),
    headers:
      headers === undefined || Object.keys(headers).length === 0
        ? undefined
        : Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  };
}

const boxes = (given: Recipient[] | null | undefined): string[] | undefined => {
  const found = mailboxesOf(given);
  return found.length === 0 ? undefined : found.map(mailboxOf);
};

const mailboxOf = ({ name = "", address }: Mailbox): string =>
  name === "" ? address : `"${name.replace(/["\\]/g, "\\$&")}" <${address}>`;

function fileOf(file: Attachment, index: number): NonNullable<RawMail["attachments"]>[number] {
  const { filename, contentType, cid } = file;
  return {
    filename: typeof filename === "string" ? filename : `attachment-${index + 1}`,
    content: base64Of(file),
    ...(contentType === undefined ? {} : { content_type: contentType }),
    ...(cid === undefined ? {} : { content_id: cid }),
  };
}

function base64Of({ content = "", encoding = "utf8" }: Content): string {
  if (typeof content !== "string") return toBase64(content);
  if (encoding === "base64") return content;
  if (!/^utf-?8$/i.test(encoding)) throw new TypeError(`attachments: the encoding ${encoding} is not known`);
  return toBase64(new TextEncoder().encode(content));
}

function textOf({ content = "", encoding }: Content): string {
  if (typeof content !== "string") return new TextDecoder().decode(content);
  if (encoding !== "base64") return content;
  return new TextDecoder().decode(Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0)));
}

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += 8192)
    text += String.fromCharCode(...bytes.subarray(start, start + 8192));
  return btoa(text);
}
