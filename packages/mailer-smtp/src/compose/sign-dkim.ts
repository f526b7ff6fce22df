import { createHash } from "node:crypto";
import type { DkimKey, MailMessage } from "@posthorn/core";
import { asciiBytes } from "./ascii-bytes.ts";
import { readDkimKey, type SigningKey } from "./dkim-key.ts";
import { type MessageSource, sourceOf } from "./message-source.ts";

/**
 * Fields that readers see or act on, and fields that say how to decode the body (RFC 6376 section 5.4.1), in the order of
 * the signature. A closed one is signed once more than it occurs: whoever sends a signed message on can't show readers
 * another subject, recipient or address for replies (section 8.15). `always` is also where the message has none. Others,
 * such as Feedback-ID, are also added by relays.
 */
const signedFields: readonly { name: string; closed: "always" | "if present" | "never" }[] = [
  { name: "from", closed: "always" },
  { name: "sender", closed: "never" },
  { name: "to", closed: "always" },
  { name: "cc", closed: "always" },
  { name: "reply-to", closed: "always" },
  { name: "subject", closed: "always" },
  { name: "date", closed: "always" },
  { name: "message-id", closed: "always" },
  { name: "in-reply-to", closed: "if present" },
  { name: "references", closed: "if present" },
  { name: "mime-version", closed: "always" },
  { name: "content-type", closed: "always" },
  { name: "content-transfer-encoding", closed: "if present" },
  { name: "list-id", closed: "never" },
  { name: "list-help", closed: "never" },
  { name: "list-unsubscribe", closed: "if present" },
  { name: "list-unsubscribe-post", closed: "if present" },
  { name: "list-subscribe", closed: "never" },
  { name: "list-post", closed: "never" },
  { name: "list-owner", closed: "never" },
  { name: "list-archive", closed: "never" },
  { name: "feedback-id", closed: "never" },
  { name: "cfbl-address", closed: "never" },
  { name: "cfbl-feedback-id", closed: "never" },
  { name: "x-service-ref", closed: "never" },
];
const keptKeys = 200;

/**
 * Signs a composed message with the message's keys, or else with the mailer's own keys for its domain; without any key
 * it leaves the message unsigned. The signature covers no field that is `replaced`, by its name in lower case.
 */
export type DkimSigner = (
  source: MessageSource,
  message: Pick<MailMessage, "dkim" | "date" | "from">,
  replaced?: readonly string[],
) => MessageSource | Promise<MessageSource>;

/**
 * Creates a function that prepends a DKIM-Signature for each key to a composed message (RFC 6376 and 8463: rsa-sha256
 * or ed25519-sha256, relaxed/relaxed). The signature's time is the message's date, so that every attempt has the same
 * bytes. The function throws a TypeError for an unfit key. At most 200 parsed keys are cached. `own` are keys
 * that sign mail from their domain and its subdomains if the message brings none. Throws a `TypeError` if one of them
 * is unfit.
 */
export function createDkimSigner(own: readonly DkimKey[] = []): DkimSigner {
  const ownKeys = own.map(readDkimKey);
  const kept = new Map<string, SigningKey>();
  const read = (key: DkimKey): SigningKey => {
    const name = JSON.stringify([key.domain, key.selector, key.privateKey]);
    const found = kept.get(name) ?? readDkimKey(key);
    kept.delete(name);
    kept.set(name, found);
    const oldest = kept.keys().next();
    if (kept.size > keptKeys && !oldest.done) kept.delete(oldest.value);
    return found;
  };
  const signed = async (
    source: MessageSource,
    keys: readonly SigningKey[],
    { date, replaced }: { date: number; replaced: readonly string[] },
  ): Promise<MessageSource> => {
    const [head, ...others] = source.parts;
    if (!Buffer.isBuffer(head)) throw new TypeError("a message begins with its header");
    const text = head.toString("latin1");
    const end = text.indexOf("\r\n\r\n");
    const chosen = chooseFields(text.slice(0, end).split(/\r\n(?![ \t])/), replaced);
    const bodyHash = await hashBody(text.slice(end + 4), others);
    const signatures = await Promise.all(keys.map((key) => signatureField(key, { chosen, bodyHash, date })));
    return withBefore(source, signatures);
  };
  return (source, { dkim, date, from }, replaced = []) => {
    const keys = dkim?.map(read) ?? ownKeys.filter(({ domain }) => isWithinDomain(from.address, domain));
    return keys.length === 0 ? source : signed(source, keys, { date, replaced });
  };
}

/** The source with further header fields prepended. */
function withBefore({ parts, ended, ...rest }: MessageSource, fields: Buffer[]): MessageSource {
  const [head, ...others] = parts;
  if (ended === undefined || !Buffer.isBuffer(head))
    return sourceOf([Buffer.concat([...fields, head as Buffer]), ...others]);
  const whole = Buffer.concat([...fields, ended]);
  const only = whole.subarray(0, whole.length - ended.length + head.length);
  return { ...rest, parts: [only], size: only.length, ended: whole };
}

/**
 * The digest of a body in relaxed form. Files are read for it before they are sent. Base64 is already in relaxed form:
 * its lines hold no blanks, and none is empty.
 */
async function hashBody(beginning: string, others: MessageSource["parts"]): Promise<string> {
  const hash = createHash("sha256");
  let last = beginning;
  for (const part of others) {
    hash.update(relaxedLines(last), "latin1");
    last = "";
    if (Buffer.isBuffer(part)) last = part.toString("latin1");
    else for await (const piece of part.base64()) hash.update(piece);
  }
  return hash.update(withoutEmptyEnd(relaxedLines(last)), "latin1").digest("base64");
}

/** Whether an address, or `@` and a domain, belongs to a domain or one of its subdomains. */
export function isWithinDomain(address: string, domain: string): boolean {
  const host = address.slice(address.lastIndexOf("@") + 1).toLowerCase();
  return host === domain.toLowerCase() || host.endsWith(`.${domain.toLowerCase()}`);
}

interface Signed {
  chosen: { name: string; line: string }[];
  bodyHash: string;
  /** ms since the epoch. */
  date: number;
}

async function signatureField(key: SigningKey, { chosen, bodyHash, date }: Signed): Promise<Buffer> {
  const unsigned =
    `DKIM-Signature: v=1; a=${key.algorithm}; c=relaxed/relaxed;\r\n d=${key.domain};\r\n s=${key.selector};` +
    ` t=${Math.floor(date / 1000)};\r\n h=${foldNames(chosen.map(({ name }) => name))};\r\n bh=${bodyHash};\r\n b=`;
  const input = [...chosen.map(({ line }) => line), relaxedField(unsigned)].filter((line) => line !== "");
  // The fields come from the message's bytes and may hold anything, so they are written back in the encoding they were
  // read in.
  const signature = await key.sign(Buffer.from(input.join("\r\n"), "latin1"));
  return asciiBytes([`${unsigned}${signature.toString("base64").replace(/.{72}(?=.)/g, "$&\r\n ")}\r\n`]);
}

/** The fields to sign; fields of the same name from the last to the first (RFC 6376 section 5.4.2). */
function chooseFields(fields: string[], replaced: readonly string[]): Signed["chosen"] {
  const named = fields.map((field) => ({ name: field.slice(0, field.indexOf(":")).toLowerCase(), field }));
  return signedFields
    .filter(({ name }) => !replaced.includes(name))
    .flatMap(({ name, closed }) => {
      const lines = named
        .filter((one) => one.name === name)
        .reverse()
        .map(({ field }) => ({ name, line: relaxedField(field) }));
      const isClosed = closed === "always" || (closed === "if present" && lines.length > 0);
      return isClosed ? [...lines, { name, line: "" }] : lines;
    });
}

function foldNames(names: string[]): string {
  let folded = "";
  let column = 3;
  for (const name of names) {
    if (column + name.length + 2 > 76) {
      folded += "\r\n ";
      column = 1;
    }
    folded += folded === "" ? name : `:${name}`;
    column += name.length + 1;
  }
  return folded;
}

/** RFC 6376 section 3.4.2. */
function relaxedField(field: string): string {
  const colon = field.indexOf(":");
  const value = field
    .slice(colon + 1)
    .replaceAll("\r\n", "")
    .replace(/[ \t]+/g, " ")
    .trim();
  return `${field.slice(0, colon).trim().toLowerCase()}:${value}`;
}

/** RFC 6376 section 3.4.4, except for its rule on the end of the body. */
function relaxedLines(lines: string): string {
  // In this order each pass takes linear time, whatever runs of blanks the body holds.
  return lines.replace(/[ \t]+/g, " ").replaceAll(" \r\n", "\r\n");
}

/** RFC 6376 section 3.4.4: empty lines at the end of the body are ignored. A body that ends with a file has none. */
function withoutEmptyEnd(lines: string): string {
  let end = lines.length;
  while (end >= 2 && lines.endsWith("\r\n", end)) end -= 2;
  return end === 0 ? "" : lines.slice(0, end) + "\r\n";
}
