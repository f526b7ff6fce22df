import { domainToASCII } from "node:url";
import { addressKey } from "../ports/storage/address-key.ts";

/** A mailbox: a display name, empty where there is none, and an address whose domain is in ASCII (RFC 5321 Mailbox, IDN as punycode). */
export interface Mailbox {
  name: string;
  address: string;
}

const maxAddress = 254;
const maxLocal = 64;
const maxDomain = 253;
const maxMailbox = 998;
/** Of letters, marks and digits beyond ASCII as well (RFC 6531 section 3.3). */
const dotAtom = /^[\p{L}\p{M}\p{N}\w!#$%&'*+/=?^`{|}~-]+(?:\.[\p{L}\p{M}\p{N}\w!#$%&'*+/=?^`{|}~-]+)*$/u;
const validLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** What an international domain may be typed with: no other full stop than ".", nothing invisible. */
const typedDomain = /^[\p{L}\p{M}\p{N}.-]+$/u;
const invisibleCharacter = /\p{Default_Ignorable_Code_Point}/u;
const onlyAscii = /^[\x20-\x7e]*$/;
/** Control and bidi characters, line separators and lone surrogates; joiners stay, names and emoji need them. */
const unsafeInName =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/u;

/**
 * Reads one bare address, an RFC 5321 mailbox without its odder forms, or answers `undefined`: the local part
 * must be a dot-atom, the domain a name of two labels or more. Quotes, comments, groups, routes, literals and
 * lists are refused, because mail libraries read them in different ways (reliability M9). The local part
 * comes back as typed, composed (NFC) where it goes beyond ASCII, the domain in lower-case ASCII.
 */
export function parseAddress(text: string): string | undefined {
  if (typeof text !== "string" || text.length > maxAddress) return undefined;
  const at = text.indexOf("@");
  const local = readLocal(text.slice(0, Math.max(at, 0)));
  // "=?" opens an encoded word (RFC 2047): some readers would decode it into another address.
  if (local === undefined || local.includes("=?")) return undefined;
  const domain = parseDomain(text.slice(at + 1));
  if (domain === undefined || Buffer.byteLength(local) + 1 + domain.length > maxAddress) return undefined;
  return `${local}@${domain}`;
}

/** The part before the `@`; bytes count, as on the wire (RFC 6532 section 3.4). */
function readLocal(text: string): string | undefined {
  if (Buffer.byteLength(text) > maxLocal || !dotAtom.test(text)) return undefined;
  if (onlyAscii.test(text)) return text;
  const local = text.normalize("NFC");
  // Two that look alike must not be two addresses: no compatibility forms, nothing invisible, no letter that becomes one of ASCII.
  if (local !== local.normalize("NFKC") || invisibleCharacter.test(local) || hasPosingLetter(text))
    return undefined;
  return Buffer.byteLength(local) > maxLocal ? undefined : local;
}

/** Reads a domain name of two labels or more into lower-case ASCII (IDNA), or answers `undefined`. */
export function parseDomain(text: string): string | undefined {
  if (text.length > maxDomain || hasPosingLetter(text)) return undefined;
  const typed = text.normalize("NFC");
  if (typed.length > maxDomain || !typedDomain.test(typed) || invisibleCharacter.test(typed))
    return undefined;
  // A look-alike that only becomes ASCII by compatibility (full-width letters) is not what a person types.
  if (typed !== typed.normalize("NFKC")) return undefined;
  const lower = typed.toLowerCase();
  const ascii = /^[a-z0-9.-]*$/.test(lower) ? lower : domainToASCII(lower);
  const labels = ascii.split(".");
  const last = labels.at(-1) ?? "";
  const isName = labels.length >= 2 && labels.every((label) => validLabel.test(label)) && !/^\d+$/.test(last);
  return isName && ascii.length <= maxDomain ? ascii : undefined;
}

/** Whether a letter beyond ASCII turns into ASCII by normalising or lower-casing: KELVIN SIGN into "k", LONG S into "s". */
function hasPosingLetter(text: string): boolean {
  if (onlyAscii.test(text)) return false;
  return [...text].some(
    (letter) => !onlyAscii.test(letter) && onlyAscii.test(letter.normalize("NFKC").toLowerCase()),
  );
}

/** Reads `a@b`, `Name <a@b>` or `"Name" <a@b>`, exactly one of them, or answers `undefined`. */
export function parseMailbox(text: string): Mailbox | undefined {
  if (typeof text !== "string" || text.length > maxMailbox) return undefined;
  const trimmed = text.replace(/^[ \t]+|[ \t]+$/g, "");
  if (!trimmed.endsWith(">")) {
    const address = parseAddress(trimmed);
    return address === undefined ? undefined : { name: "", address };
  }
  const open = trimmed.lastIndexOf("<");
  if (open < 0) return undefined;
  const name = parseDisplayName(trimmed.slice(0, open).replace(/[ \t]+$/, ""));
  const address = parseAddress(trimmed.slice(open + 1, -1));
  return name === undefined || address === undefined ? undefined : { name, address };
}

function parseDisplayName(text: string): string | undefined {
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/s.exec(text);
  const name = quoted ? (quoted[1] ?? "").replace(/\\(["\\])/g, "$1") : text;
  // Outside quotes these begin lists, groups, comments or a second address.
  if (!quoted && /["<>(),;:@\\[\]]/.test(name)) return undefined;
  const normal = name.normalize("NFC").trim();
  return isSafeName(normal) ? normal : undefined;
}

/** Whether a display name can stand in a header: one line, nothing that turns or hides text, ≤ 200 characters. */
export function isSafeName(name: string): boolean {
  return name.length <= 200 && !unsafeInName.test(name);
}

/** Writes a mailbox so that {@link parseMailbox} reads the same again. Not a header: nothing is encoded. */
export function formatMailbox({ name, address }: Mailbox): string {
  if (name === "") return address;
  const plain = /^[^"<>(),;:@\\[\]]+$/.test(name) && name === name.trim();
  return plain ? `${name} <${address}>` : `"${name.replace(/["\\]/g, "\\$&")}" <${address}>`;
}

/** The domain of a parsed address. */
export function domainOf(address: string): string {
  return addressKey(address.slice(address.lastIndexOf("@") + 1));
}
