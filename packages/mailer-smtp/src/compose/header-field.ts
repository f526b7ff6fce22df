import type { Mailbox } from "@posthorn/core";
import { assertAddress, assertHeaderSafe } from "./assert-header-safe.ts";
import { encodeWords } from "./encode-words.ts";
import { createFieldWriter } from "./field-writer.ts";

/** No line may be longer without its CRLF (RFC 5322 section 2.1.1). */
const longestLine = 998;
const longestToken = 900;
const atoms = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?: [A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const printable = /^[ -~]*$/;
const looksEncoded = /=\?[^?\s]+\?[bBqQ]\?[^?\s]*\?=/;
/** Fields of identifiers and URIs: RFC 5322 section 3.6.4, RFC 2369, 2919, 5064. */
const holdsIdentifiers = /^(?:list-.+|references|in-reply-to|archived-at)$/i;

/** A field that fits its first line; one blank between two words at the most. */
const preferredLine = 76;
const easyWords = /^[!-~]+(?: [!-~]+)*$/;

/** The field of a value that goes as it stands; `undefined` where it must be folded or encoded, or looked at. */
function easyField(name: string, value: string): string | undefined {
  const fits = name.length + 2 + value.length <= preferredLine;
  return fits && easyWords.test(value) && !value.includes("=?") ? `${name}: ${value}\r\n` : undefined;
}

/** Writes one header field of free text (RFC 5322 section 2.2.1), folded, encoded by RFC 2047 where it needs to be. */
export function textField(name: string, value: string): string {
  const easy = easyField(name, value);
  if (easy !== undefined) return easy;
  assertHeaderSafe(value, name);
  const field = createFieldWriter(name);
  const words = value.split(" ");
  const isPlain =
    printable.test(value) &&
    !value.includes("=?") &&
    // Between two blanks in a row a fold could leave a line of nothing else, and readers make one of them.
    (value === "" || words.every((word) => word !== "" && word.length <= longestToken));
  if (isPlain) field.putAll(value === "" ? [] : words);
  else field.putEncoded(value);
  return field.end();
}

/**
 * Writes one of the caller's header fields, folded at its blanks. Words in ASCII stand as they are, for machines read these fields;
 * the others become encoded-words, but never an identifier or a URI: these are percent-encoded, as a URI of an IRI is (RFC 3987).
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
    // No line may hold it. Blanks within a URI's brackets count for nothing (RFC 2369 section 2, RFC 3986 appendix C).
    else
      for (let start = 0; start < text.length; start += longest)
        field.put(text.slice(start, start + longest));
  }
  return field.end();
}

interface FieldRun {
  text: string;
  isPlain: boolean;
  /** What stands before it. */
  blanks: string;
}

/** The words of a value, those that must be encoded joined with their like beside them: blanks between encoded-words vanish. */
function runsOf(value: string, isOfIdentifiers: boolean): FieldRun[] {
  const runs: FieldRun[] = [];
  for (const [, blanks = "", word = ""] of value.trim().matchAll(/([ \t]*)([^ \t]+)/g)) {
    const isIdentifier = isOfIdentifiers && /[<>]|:\//.test(word);
    const text = isIdentifier ? percentEncoded(word) : word;
    const isEasy = printable.test(text) && !looksEncoded.test(text) && text.length <= longestToken;
    const isPlain = isIdentifier || isEasy;
    const last = runs.at(-1);
    if (last !== undefined && !last.isPlain && !isPlain) last.text += blanks + text;
    else runs.push({ text, isPlain, blanks: blanks === "" ? " " : blanks });
  }
  return runs;
}

/** The word with all that is no printable ASCII as the percent-encoded bytes of its UTF-8. */
function percentEncoded(word: string): string {
  return word.replace(/[^!-~]+/g, (text) => encodeURIComponent(text.toWellFormed()));
}

/** Writes a header field of mailboxes (RFC 5322 section 3.4), folded between its parts; empty for no mailboxes. */
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

/** A single mailbox whose name are plain words, where all of it fits its line. */
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
