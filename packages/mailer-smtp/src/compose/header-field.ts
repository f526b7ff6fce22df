import type { Mailbox } from "@posthorn/core";
import { assertAddress, assertHeaderSafe } from "./assert-header-safe.ts";
import { encodeWords } from "./encode-words.ts";

const preferredLine = 76;
/** No line may be longer without its CRLF (RFC 5322 section 2.1.1); some room is left for the name. */
const longestToken = 900;
const atoms = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?: [A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const printable = /^[ -~]*$/;
const looksEncoded = /=\?[^?\s]+\?[bBqQ]\?[^?\s]*\?=/;

/** Writes one header field of free text (RFC 5322 section 2.2.1), folded, encoded by RFC 2047 where it needs to be. */
export function textField(name: string, value: string): string {
  assertHeaderSafe(value, name);
  return writeField(name, value, value.includes("=?"));
}

/** Writes one of the caller's header fields: folded at its spaces, encoded only where it is not plain ASCII. */
export function extraField(name: string, value: string): string {
  if (!/^[!-9;-~]+$/.test(name)) throw new TypeError("a header field's name is not printable ASCII");
  assertHeaderSafe(value, name);
  return writeField(name, value.trim(), looksEncoded.test(value));
}

/** Writes a header field of mailboxes (RFC 5322 section 3.4), folded between its parts; empty for no mailboxes. */
export function mailboxField(name: string, mailboxes: Mailbox[]): string {
  if (mailboxes.length === 0) return "";
  let column = name.length + 1;
  let field = name + ":";
  const last = mailboxes.length - 1;
  const put = (token: string) => {
    if (column + 1 + token.length > preferredLine && column > name.length + 1) {
      field += "\r\n";
      column = 0;
    }
    field += " " + token;
    column += 1 + token.length;
  };
  for (const [index, mailbox] of mailboxes.entries()) {
    assertAddress(mailbox.address, name);
    for (const token of phraseTokens(mailbox.name, name)) put(token);
    const end = index === last ? "" : ",";
    put(mailbox.name === "" ? mailbox.address + end : `<${mailbox.address}>${end}`);
  }
  return field + "\r\n";
}

function phraseTokens(phrase: string, field: string): string[] {
  if (phrase === "") return [];
  assertHeaderSafe(phrase, field);
  const isShort = phrase.length <= 60 && printable.test(phrase) && !phrase.includes("=?");
  if (isShort && atoms.test(phrase)) return phrase.split(" ");
  if (isShort && phrase.trim() === phrase) return [`"${phrase.replace(/["\\]/g, "\\$&")}"`];
  return encodeWords(phrase, field.length + 2);
}

function writeField(name: string, value: string, mustEncode: boolean): string {
  const start = name.length + 2;
  if (!mustEncode && value.trim() === value && printable.test(value)) {
    if (start + value.length <= preferredLine) return `${name}: ${value}\r\n`;
    const words = value.split(" ");
    // An empty word is a run of spaces, which a fold could turn into a line of nothing else.
    if (words.every((word) => word !== "" && word.length <= longestToken)) return foldWords(name, words);
  }
  return `${name}: ${encodeWords(value, start).join("\r\n ")}\r\n`;
}

function foldWords(name: string, words: string[]): string {
  let field = name + ":";
  let column = field.length;
  for (const [index, word] of words.entries()) {
    // Never before the first word: a field whose first line is empty is misread by old software.
    if (index > 0 && column + 1 + word.length > preferredLine) {
      field += "\r\n";
      column = 0;
    }
    field += " " + word;
    column += 1 + word.length;
  }
  return field + "\r\n";
}
