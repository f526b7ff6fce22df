import type { Mailbox } from "@posthorn/core";
import { assertAddress, assertHeaderSafe } from "./assert-header-safe.ts";
import { encodeWords } from "./encode-words.ts";
import { createFieldWriter, preferredLine } from "./field-writer.ts";
import { longestLine } from "./transfer-encoding.ts";

const longestToken = 900;
const atoms = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?: [A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const printable = /^[ -~]*$/;
const looksEncoded = /=\?[^?\s]+\?[bBqQ]\?[^?\s]*\?=/;
/** Header fields of identifiers and URIs: RFC 5322 section 3.6.4, RFC 2369, 2919, 5064. */
const holdsIdentifiers = /^(?:list-.+|references|in-reply-to|archived-at)$/i;

/** Matches a field that fits one line, with single blanks between its words. */
const easyWords = /^[!-~]+(?: [!-~]+)*$/;

/** The field if its value needs neither folding nor encoding; `undefined` if it does or must be examined. */
function easyField(name: string, value: string): string | undefined {
  const fits = name.length + 2 + value.length <= preferredLine;
  return fits && easyWords.test(value) && !value.includes("=?") ? `${name}: ${value}\r\n` : undefined;
}

/** Writes one unstructured header field (RFC 5322 section 2.2.1), folded, and encoded (RFC 2047) if needed. */
export function textField(name: string, value: string): string {
  const easy = easyField(name, value);
  if (easy !== undefined) return easy;
  assertHeaderSafe(value, name);
  const field = createFieldWriter(name);
  const words = value.split(" ");
  const isPlain =
    printable.test(value) &&
    !value.includes("=?") &&
    // A fold between two blanks could leave a line of blanks only, and readers collapse double blanks.
    (value === "" || words.every((word) => word !== "" && word.length <= longestToken));
  if (isPlain) field.putAll(value === "" ? [] : words);
  else field.putEncoded(value);
  return field.end();
}

/**
 * Writes one of the caller's header fields, folded at its blanks. ASCII words stay as they are, because machines read
 * these fields; other words become encoded-words. Identifiers and URIs are percent-encoded instead, as RFC 3987 maps an
 * IRI to a URI.
 */
export function extraField(name: string, value: string): string {
  if (!/^[!-9;-~]+$/.test(name)) throw new TypeError("a header field's name is not printable ASCII");
  const easy = easyField(name, value);
  if (easy !== undefined) return easy;
  assertHeaderSafe(value, name);
  const field = createFieldWriter(name);
  const isOfIdentifiers = holdsIdentifiers.test(name);
  const longest = longestLine - name.length - 2;
  for (const { text, isPlain, blanks } of runsOf(value, isOfIdentifiers)) {
    if (!isPlain) field.putEncoded(text);
    else if (text.length <= longest) field.put(text, isOfIdentifiers ? " " : blanks);
    // No line can hold the word. Blanks within a URI's angle brackets are ignored (RFC 2369 section 2, RFC 3986
    // appendix C).
    else
      for (let start = 0; start < text.length; start += longest)
        field.put(text.slice(start, start + longest));
  }
  return field.end();
}

interface FieldRun {
  text: string;
  isPlain: boolean;
  /** The blanks before the word. */
  blanks: string;
}

/** Splits a value into words and joins adjacent words that must be encoded: blanks between encoded-words vanish. */
function runsOf(value: string, isOfIdentifiers: boolean): FieldRun[] {
  const runs: FieldRun[] = [];
  for (const [, blanks = "", word = ""] of value.trim().matchAll(/([ \t]*)([^ \t]+)/g)) {
    const isIdentifier = isOfIdentifiers && /[<>]|:\//.test(word);
    const text = isIdentifier ? percentEncoded(word) : word;
    const isEasy = printable.test(text) && !looksEncoded.test(text) && text.length <= longestToken;
    const isPlain = isIdentifier || isEasy;
    const last = runs.at(-1);
    if (last !== undefined && !last.isPlain && !isPlain) last.text += blanks + text;
    // Of the blanks before an encoded-word, readers may drop all but one, unless they are within it.
    else if (!isPlain && runs.length > 0) runs.push({ text: blanks.slice(1) + text, isPlain, blanks: " " });
    else runs.push({ text, isPlain, blanks: blanks === "" ? " " : blanks });
  }
  return runs;
}

/** The word with everything but printable ASCII percent-encoded as UTF-8. */
function percentEncoded(word: string): string {
  return word.replace(/[^!-~]+/g, (text) => encodeURIComponent(text.toWellFormed()));
}

/** Writes a header field of mailboxes (RFC 5322 section 3.4), folded between its parts; empty if there are none. */
export function mailboxField(name: string, mailboxes: readonly Mailbox[]): string {
  if (mailboxes.length === 0) return "";
  const [only] = mailboxes;
  if (mailboxes.length === 1 && only !== undefined) {
    const easy = easyMailbox(name, only);
    if (easy !== undefined) return easy;
  }
  const field = createFieldWriter(name);
  const last = mailboxes.length - 1;
  for (const [index, mailbox] of mailboxes.entries()) {
    assertAddress(mailbox.address, name);
    field.putAll(phraseTokens(mailbox.name, name));
    const end = index === last ? "" : ",";
    field.put(mailbox.name === "" ? mailbox.address + end : `<${mailbox.address}>${end}`);
  }
  return field.end();
}

/** A single mailbox with a name of plain words that fits one line. */
function easyMailbox(field: string, { name, address }: Mailbox): string | undefined {
  if (name !== "" && (name.length > longestPhrase || !atoms.test(name) || name.includes("=?")))
    return undefined;
  assertAddress(address, field);
  const value = name === "" ? address : `${name} <${address}>`;
  return name === "" || field.length + 2 + value.length <= preferredLine
    ? `${field}: ${value}\r\n`
    : undefined;
}

const longestPhrase = 60;

function phraseTokens(phrase: string, field: string): string[] {
  if (phrase === "") return [];
  assertHeaderSafe(phrase, field);
  const isShort = phrase.length <= longestPhrase && printable.test(phrase) && !phrase.includes("=?");
  if (isShort && atoms.test(phrase)) return phrase.split(" ");
  if (isShort && phrase.trim() === phrase) return [`"${phrase.replace(/["\\]/g, "\\$&")}"`];
  return encodeWords(phrase, field.length + 2);
}
