import { addressOfCell } from "../../rules/address-of-cell.ts";
import { beginningOf } from "../../rules/beginning-of.ts";
import { isNamedTime } from "../../rules/named-times.ts";
import { parseSuppressed, type SuppressedAddress } from "./suppression-key.ts";

/** The values of a line by the names of their columns, which are in lower case without blanks and underscores. */
export type ImportedFields = Readonly<Record<string, string>>;

/** The suppression that a line of a file describes. Times are ms since the epoch. */
export interface ImportedEntry extends SuppressedAddress {
  scope: string;
  reason: string;
  createdAt: number;
  /** `undefined` if it never expires. */
  expiresAt: number | undefined;
}

/** Why a line is rejected. */
export interface ImportFault {
  /** The faulty value as it is in the file. */
  value: string;
  message: string;
}

/**
 * Names of the columns: our own, and those in exports of Amazon SES, SendGrid, Postmark and Mailgun. If a file has
 * several, the first in this list counts.
 */
const columns = {
  email: ["email", "emailaddress", "address", "recipient"],
  scope: ["scope", "list"],
  reason: ["reason", "suppressionreason", "error", "type"],
  createdAt: ["createdat", "created", "lastupdatetime", "bouncedat"],
  expiresAt: ["expiresat"],
} as const;

/** Normalises a column's name for comparison. */
export const columnKey = (word: string): string => word.toLowerCase().replace(/[^a-z]/g, "");

/** Whether a file's first line holds the names of its columns. */
export const namesColumns = (words: readonly string[]): boolean =>
  words.some((word) => (columns.email as readonly string[]).includes(columnKey(word)));

const cellOf = (fields: ImportedFields, names: readonly string[]): string =>
  (fields[names.find((name) => fields[name] !== undefined) ?? ""] ?? "").trim();

/**
 * Parses a line's values. `now` is in ms: a later time of creation becomes `now`, and an expired suppression is a
 * fault.
 */
export function readEntry(fields: ImportedFields, now: number): ImportedEntry | ImportFault {
  const email = cellOf(fields, columns.email);
  if (email === "") return { value: "", message: "has no address" };
  const parsed = parseSuppressed(addressOfCell(email));
  if (parsed === undefined)
    return { value: email, message: "is neither an e-mail address nor a domain such as @b.example" };
  const scope = cellOf(fields, columns.scope) || "*";
  if (scope !== "*" && !/^[a-z0-9-]{1,64}$/.test(scope))
    return {
      value: scope,
      message: 'is not a scope: "*", or 1 to 64 lower-case letters, digits and hyphens',
    };
  const created = readTime(cellOf(fields, columns.createdAt));
  if (created.isFault) return { value: created.text, message: "is not a time" };
  const expires = readTime(cellOf(fields, columns.expiresAt));
  if (expires.isFault) return { value: expires.text, message: "is not a time" };
  if (expires.ms !== undefined && expires.ms <= now)
    return { value: expires.text, message: "is in the past: the suppression has expired" };
  return {
    ...parsed,
    scope,
    // Exports of other services may hold a mail server's complete reply.
    reason: beginningOf(cellOf(fields, columns.reason), 500),
    createdAt: Math.min(created.ms ?? now, now),
    expiresAt: expires.ms,
  };
}

export const isImportFault = (read: ImportedEntry | ImportFault): read is ImportFault => "message" in read;

interface ReadTime {
  text: string;
  /** `undefined` if the text is empty. */
  ms: number | undefined;
  isFault: boolean;
}

/**
 * Maximum characters of a time, more than any has, as in `Fri, 10 Apr 2026 21:03:00 +0200 (Central European Summer Time)`:
 * the time that some patterns take grows with their square, and `Date.parse` passes over any number of commas and blanks.
 */
const longestTime = 100;

/** An offset follows a time: at the end of `10-Apr-2026` is a year. */
const zoneAtEnd = /(?:Z|UTC|GMT|(?<=:\d\d.*)[+-]\d\d:?\d\d)$/i;
/** PostgreSQL writes an offset of whole hours as `+02`, which `Date.parse` doesn't read. */
const hoursAtEnd = /(?<=:\d\d(?:\.\d+)? ?[+-]\d\d)$/;

/**
 * Parses seconds or ms since the epoch, ISO 8601, or the date format of e-mails. A time without a zone is UTC. It has a year
 * of four digits: a spreadsheet's number of a day, such as 46387, would be a year.
 */
function readTime(text: string): ReadTime {
  if (text === "") return { text, ms: undefined, isFault: false };
  if (text.length > longestTime) return { text, ms: undefined, isFault: true };
  const seconds = /^\d{9,10}(?:\.\d+)?$/.test(text);
  if (seconds || /^\d{12,13}$/.test(text))
    return { text, ms: Math.round(Number(text) * (seconds ? 1_000 : 1)), isFault: false };
  const inWords = dottedDay(text.replace(/(?<=\d{4},?) at (?=\d)/, " "));
  const plain = withZonePlain(inWords).replace(hoursAtEnd, "00");
  const hasZone = zoneAtEnd.test(plain);
  const ms = Date.parse(
    hasZone || /^\d{4}-\d\d-\d\d$/.test(plain) ? plain : `${plain.replace("T", " ")} UTC`,
  );
  return { text, ms, isFault: !isNamedTime(ms) || !/(?<![\d+])\d{4}(?!\d)/.test(text) || !hasRealDay(plain) };
}

/** `10.04.2026` is the tenth of April wherever days are written with dots; to `Date.parse`, it is the fourth of October. */
const dottedDay = (text: string): string =>
  text.replace(
    /^(\d\d?)\.(\d\d?)\.(\d{4})(?!\d)/,
    (_, day: string, month: string, year: string) =>
      `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`,
  );

/**
 * A console writes `April 10, 2026 at 21:03 (UTC+02:00)`, and e-mails may end in `+0200 (CEST)`: to `Date.parse`, what
 * is in parentheses is a comment. A zone that has nothing but a name stays beside the time, and makes it unreadable.
 */
function withZonePlain(text: string): string {
  const [, time, comment] = /^([^()]*[^()\s])\s*\(([^()]*)\)$/.exec(text) ?? [];
  if (time === undefined || comment === undefined) return text;
  if (zoneAtEnd.test(time)) return time;
  const zone = comment.trim();
  const [, sign, hours = "", minutes = "00"] = /^(?:UTC|GMT)([+-])(\d\d?)(?::?(\d\d))?$/i.exec(zone) ?? [];
  return `${time.replace(/(?<=\d)T/, " ")} ${sign === undefined ? zone : `${sign}${hours.padStart(2, "0")}${minutes}`}`;
}

const timeOfDay = /[T ,]*\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?: ?[ap]m)?/i;

/** `Date.parse` takes the 31st of any month, and counts on into the next. A day is the last number beside the year. */
function hasRealDay(plain: string): boolean {
  const date = plain.replace(zoneAtEnd, "").replace(timeOfDay, "").replace(/GMT/i, "");
  const day = date.match(/(?<!\d)\d{1,2}(?!\d)/g)?.at(-1);
  const read = new Date(`${date.trim()} UTC`);
  return day === undefined || Number.isNaN(read.getTime()) || read.getUTCDate() === Number(day);
}
