import { domainToASCII } from "node:url";
import { addressKey } from "./address-key.ts";

/**
 * A mailbox: a display name, empty if there is none, and an address whose domain is in ASCII (RFC 5321 Mailbox, IDN as
 * punycode).
 */
export interface Mailbox {
  /** The display name, without quotes; empty if there is none. */
  name: string;
  /** The bare address, such as `ada@example.com`. */
  address: string;
}

const maxAddress = 254;
const maxLocal = 64;
const maxDomain = 253;
const maxLabel = 63;
const maxMailbox = 998;
/** A dot-atom, which may contain letters, marks and digits beyond ASCII (RFC 6531 section 3.3). */
const dotAtom = /^[\p{L}\p{M}\p{N}\w!#$%&'*+/=?^`{|}~-]+(?:\.[\p{L}\p{M}\p{N}\w!#$%&'*+/=?^`{|}~-]+)*$/u;
/** A name of two labels or more in lower case, the last of which begins with a letter. */
const plainDomain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const validLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Characters of an international domain as typed: no full stop but ".", no invisible character. */
const typedDomain = /^[\p{L}\p{M}\p{N}.-]+$/u;
const invisibleCharacter = /\p{Default_Ignorable_Code_Point}/u;
const onlyAscii = /^[\x20-\x7e]*$/;
/**
 * Control and bidi characters, line separators and lone surrogates. Joiners are allowed, as names and emoji need them.
 */
const unsafeInName =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/u;

/**
 * Parses one bare address, an RFC 5321 mailbox without its rarer forms. Returns `undefined` for any other text. The
 * local part must be a dot-atom, the domain a name of two labels or more. Quotes, comments, groups, routes, literals
 * and lists are refused, because mail libraries parse them differently (reliability M9). The local part is returned as
 * typed, in NFC if it is not ASCII, the domain in lower-case ASCII.
 */
export function parseAddress(text: string): string | undefined {
  if (typeof text !== "string" || text.length > maxAddress) return undefined;
  const at = text.indexOf("@");
  const local = readLocal(text.slice(0, Math.max(at, 0)));
  // "=?" begins an encoded word (RFC 2047), which some readers would decode to another address.
  if (local === undefined || local.includes("=?")) return undefined;
  const domain = parseDomain(text.slice(at + 1));
  if (domain === undefined || Buffer.byteLength(local) + 1 + domain.length > maxAddress) return undefined;
  return `${local}@${domain}`;
}

/** Returns which part of a refused address is too long, as words that follow its name; `undefined` if none is. */
export function tooLongIn(text: string): string | undefined {
  const at = text.lastIndexOf("@");
  if (at < 1 || /[\s<>]/.test(text)) return undefined;
  if (Buffer.byteLength(text.slice(0, at)) > maxLocal) return `has more than ${maxLocal} bytes before the @`;
  if (text.length > maxAddress) return `is longer than ${maxAddress} characters`;
  const isLong = text
    .slice(at + 1)
    .split(".")
    .some((label) => label.length > maxLabel);
  return isLong ? `has a domain with more than ${maxLabel} characters between two dots` : undefined;
}

/** Parses the part before the `@`. Its length is in bytes, as sent (RFC 6532 section 3.4). */
function readLocal(text: string): string | undefined {
  if (Buffer.byteLength(text) > maxLocal || !dotAtom.test(text)) return undefined;
  if (onlyAscii.test(text)) return text;
  const local = text.normalize("NFC");
  // Two addresses that look alike must not be different: refuse compatibility forms, invisible characters, and letters
  // that normalise to ASCII.
  if (local !== local.normalize("NFKC") || invisibleCharacter.test(local) || hasPosingLetter(text))
    return undefined;
  // A mark may have joined an allowed sign to one that is not, such as "=" to "≠".
  if (!dotAtom.test(local)) return undefined;
  return Buffer.byteLength(local) > maxLocal ? undefined : local;
}

/** Parses a domain name of two labels or more and returns it in lower-case ASCII (IDNA), or `undefined`. */
export function parseDomain(text: string): string | undefined {
  if (text.length <= maxDomain && plainDomain.test(text)) return text;
  if (text.length > maxDomain || hasPosingLetter(text)) return undefined;
  const typed = text.normalize("NFC");
  if (typed.length > maxDomain || !typedDomain.test(typed) || invisibleCharacter.test(typed))
    return undefined;
  // Refuse look-alikes that become ASCII only by compatibility, such as full-width letters: people don't type them.
  if (typed !== typed.normalize("NFKC")) return undefined;
  const lower = typed.toLowerCase();
  const ascii = /^[a-z0-9.-]*$/.test(lower) ? lower : domainToASCII(lower);
  const labels = ascii.split(".");
  const last = labels.at(-1) ?? "";
  const isName = labels.length >= 2 && labels.every((label) => validLabel.test(label)) && !/^\d+$/.test(last);
  return isName && ascii.length <= maxDomain ? ascii : undefined;
}

/** Whether a letter beyond ASCII becomes ASCII by normalising or lower-casing: KELVIN SIGN becomes "k", LONG S "s". */
function hasPosingLetter(text: string): boolean {
  if (onlyAscii.test(text)) return false;
  return [...text].some(
    (letter) => !onlyAscii.test(letter) && onlyAscii.test(letter.normalize("NFKC").toLowerCase()),
  );
}

/** Parses exactly one mailbox, `a@b`, `Name <a@b>` or `"Name" <a@b>`, or returns `undefined`. */
export function parseMailbox(text: string): Mailbox | undefined {
  if (typeof text !== "string" || text.length > maxMailbox) return undefined;
  const trimmed = withoutBlanks(text);
  if (!trimmed.endsWith(">")) {
    const address = parseAddress(trimmed);
    return address === undefined ? undefined : { name: "", address };
  }
  const open = trimmed.lastIndexOf("<");
  if (open < 0) return undefined;
  const name = parseDisplayName(withoutBlanks(trimmed.slice(0, open)));
  const address = parseAddress(trimmed.slice(open + 1, -1));
  return name === undefined || address === undefined ? undefined : { name, address };
}

/**
 * The text without spaces and tabs at its ends. A pattern for the last of them would be tried from each one within, in
 * quadratic time.
 */
function withoutBlanks(text: string): string {
  const isBlank = (at: number): boolean => text[at] === " " || text[at] === "\t";
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(start)) start += 1;
  while (end > start && isBlank(end - 1)) end -= 1;
  return text.slice(start, end);
}

function parseDisplayName(text: string): string | undefined {
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/s.exec(text);
  const name = quoted ? (quoted[1] ?? "").replace(/\\(["\\])/g, "$1") : text;
  // Outside quotes these characters begin lists, groups, comments or a second address.
  if (!quoted && /["<>(),;:@\\[\]]/.test(name)) return undefined;
  const normal = name.normalize("NFC").trim();
  return isSafeName(normal) ? normal : undefined;
}

/**
 * Whether a display name is safe in a header: one line, no character that reverses or hides text, at most 200
 * characters.
 */
export function isSafeName(name: string): boolean {
  const isShort = name.length <= 200 || (name.length <= 400 && [...name].length <= 200);
  return isShort && !unsafeInName.test(name);
}

/**
 * Formats a mailbox so that {@link parseMailbox} parses it to the same. The result is not for headers, as nothing is
 * encoded.
 */
export function formatMailbox({ name, address }: Mailbox): string {
  if (name === "") return address;
  const plain = /^[^"<>(),;:@\\[\]]+$/.test(name) && name === name.trim();
  return plain ? `${name} <${address}>` : `"${name.replace(/["\\]/g, "\\$&")}" <${address}>`;
}

/** Returns the domain of a parsed address. */
export function domainOf(address: string): string {
  return addressKey(address.slice(address.lastIndexOf("@") + 1));
}
