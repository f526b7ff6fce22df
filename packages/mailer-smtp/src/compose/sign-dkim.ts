import { createHash, createPrivateKey, type KeyObject, sign } from "node:crypto";
import { promisify } from "node:util";
import type { DkimKey } from "@posthorn/core";

// In the thread pool: an RSA signature takes longer than composing and sending the mail.
const signInPool = promisify<string, Buffer, KeyObject, Buffer>(sign);
const signedFields = [
  "from",
  "to",
  "cc",
  "subject",
  "date",
  "message-id",
  "mime-version",
  "content-type",
  "reply-to",
  "list-unsubscribe",
  "list-unsubscribe-post",
];

/** Signs composed messages. */
export type DkimSigner = (source: Buffer, key: DkimKey, date: number) => Promise<Buffer>;

/**
 * Makes a function that puts a DKIM-Signature before a composed message (RFC 6376: rsa-sha256, relaxed/relaxed). The
 * time in it is the message's own date, so that every attempt has the same bytes. Rejects where the key can't be
 * read. Parsed keys are kept, at most 200 of them.
 */
export function createDkimSigner(): DkimSigner {
  const keys = new Map<string, KeyObject>();
  const parsedKey = (pem: string): KeyObject => {
    const key = keys.get(pem) ?? createPrivateKey(pem);
    keys.delete(pem);
    keys.set(pem, key);
    const oldest = keys.keys().next();
    if (keys.size > 200 && !oldest.done) keys.delete(oldest.value);
    return key;
  };
  return async (source, key, date) => {
    const text = source.toString("latin1");
    const end = text.indexOf("\r\n\r\n");
    const fields = text.slice(0, end).split(/\r\n(?![ \t])/);
    const chosen = chooseFields(fields);
    const bodyHash = createHash("sha256")
      .update(relaxedBody(text.slice(end + 4)), "latin1")
      .digest("base64");
    const unsigned =
      `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=${key.domain};\r\n s=${key.selector};` +
      ` t=${Math.floor(date / 1000)};\r\n h=${foldNames(chosen.map(({ name }) => name))};\r\n bh=${bodyHash};\r\n b=`;
    const input = [...chosen.map(({ line }) => line), relaxedField(unsigned)].filter((line) => line !== "");
    const signature = await signInPool(
      "sha256",
      Buffer.from(input.join("\r\n"), "latin1"),
      parsedKey(key.privateKey),
    );
    const value = signature.toString("base64").replace(/.{72}(?=.)/g, "$&\r\n ");
    return Buffer.concat([Buffer.from(`${unsigned}${value}\r\n`, "latin1"), source]);
  };
}

function chooseFields(fields: string[]): { name: string; line: string }[] {
  const present = new Map(fields.map((field) => [field.slice(0, field.indexOf(":")).toLowerCase(), field]));
  const chosen = signedFields.flatMap((name) => {
    const field = present.get(name);
    return field === undefined ? [] : [{ name, line: relaxedField(field) }];
  });
  // Named once more than present, so that a From added on the way breaks the signature (RFC 6376 section 8.15).
  return [...chosen, { name: "from", line: "" }];
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

/** RFC 6376 section 3.4.4. */
function relaxedBody(body: string): string {
  // In this order each pass is linear, whatever runs of blanks the body holds.
  const lines = body.replace(/[ \t]+/g, " ").replaceAll(" \r\n", "\r\n");
  let end = lines.length;
  while (end >= 2 && lines.endsWith("\r\n", end)) end -= 2;
  return end === 0 ? "" : lines.slice(0, end) + "\r\n";
}
