import { mediaTypeName } from "../../rules/media-types.ts";

/**
 * Patterns for the JSON Schema of the API, in the common subset of regular expressions, each matched in linear time:
 * others check requests by them. They are close to what our parsers accept, and refuse nothing of it but domains of
 * more than eleven labels, and white space around a value. The parsers decide. Letters beyond ASCII are what is left of
 * the others: a range to U+FFFF would lack some, and not all dialects can write one beyond. Nor can all write `\u2028`,
 * and generators of clients put that character itself into a regular expression of JavaScript, which ends there: the
 * patterns take the two separators of lines, which the parsers refuse.
 */

const letter = String.raw`[^\x00-\x40\x5b-\x60\x7b-\x7f]`;
/** Letters, digits and hyphens. */
const labelCharacter = String.raw`[^\x00-\x2c\x2e\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]`;
const domainName = String.raw`(?:${labelCharacter}{1,63}\.){1,10}${letter}${labelCharacter}{0,62}`;
const bare = String.raw`[^\x00-\x20"(),:;<>@\x5b-\x5d\x7f]{1,64}@${domainName}`;
const named = String.raw`(?:"(?:[^"\\]|\\.){0,200}" *|[^"<>(),;:@\[\\\]]{0,200})<${bare}>`;
const oneLine = String.raw`[^\x00-\x1f\x7f-\x9f]*`;
/** The beginning of a text up to its first character that is not a space. */
const begun = String.raw`[^\S\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f]`;

/** Text on one line, and the same with at least one character that is not a space. */
export const linePattern = `^${oneLine}$`;
export const namePattern = `^${begun}${oneLine}$`;
/** The value of a header field: the same with tabs. */
export const headerPattern = String.raw`^[^\S\n-\r]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x08\n-\x1f\x7f-\x9f]*$`;
/** `a@b`. The format "email" refuses letters beyond ASCII. */
export const addressPattern = `^${bare}$`;
/** `a@b` or `Name <a@b>`. */
export const mailboxPattern = `^(?:${bare}|${named})$`;
/** The same, or a domain as `@b`. */
export const suppressedPattern = `^(?:${bare}|${named}|@${domainName})$`;
/** A domain's name. */
export const domainPattern = `^${domainName}\\.?$`;
/** A domain's name, after a full stop for its subdomains. */
export const fromDomainPattern = String.raw`^\.?${domainName}$`;
/** `sender`, `verp` or an address. */
export const returnPathPattern = `^(?:sender|verp|${bare})$`;
/** An address or a domain, also as `@b`. */
export const senderPattern = `^(?:${bare}|@?${domainName})$`;
/** Base64 with line breaks. */
export const base64Pattern = String.raw`^[A-Za-z0-9+/=\s]*$`;
/** An IANA time zone, by the form of its name. */
export const timeZonePattern = "^[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+)*$";
/** A BCP 47 language tag, by its form. */
export const languagePattern = "^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$";
/** A media type, by its form (RFC 6838). */
export const mediaTypePattern = String.raw`^${mediaTypeName}/${mediaTypeName}(?:[ \t]*;.*)?$`;
/** An iCalendar object, by its first and last line. */
export const calendarPattern = String.raw`^\s*[Bb][Ee][Gg][Ii][Nn]:[Vv][Cc][Aa][Ll][Ee][Nn][Dd][Aa][Rr]\r?\n[\s\S]*\n[Ee][Nn][Dd]:[Vv][Cc][Aa][Ll][Ee][Nn][Dd][Aa][Rr]\s*$`;
