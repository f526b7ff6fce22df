import { parseSuppressed, type SuppressedAddress } from "./suppression-key.ts";

/** A line of a file as it was read: its values by the words above the columns, in lower case without blanks and underscores. */
export type ImportedFields = Readonly<Record<string, string>>;

/** What a line of a file asks for. Times are ms since the epoch. */
export interface ImportedEntry extends SuppressedAddress {
  scope: string;
  reason: string;
  createdAt: number;
  /** `undefined`: for ever. */
  expiresAt: number | undefined;
}

/** Why a line is left out. */
export interface ImportFault {
  /** What is wrong, as it stands in the file. */
  value: string;
  message: string;
}

/**
 * What columns are called: by us, and in what Amazon SES, SendGrid, Postmark and Mailgun hand out. The first that a file has counts.
 */
const columns = {
  email: ["email", "emailaddress", "address", "recipient"],
  scope: ["scope", "list"],
  reason: ["reason", "suppressionreason", "error", "type"],
  createdAt: ["createdat", "created", "lastupdatetime", "bouncedat"],
  expiresAt: ["expiresat"],
} as const;

/** The word above a column, as it is compared. */
export const columnKey = (word: string): string => word.toLowerCase().replace(/[^a-z]/g, "");

/** Whether a file's first line names its columns. */
export const namesColumns = (words: readonly string[]): boolean =>
  words.some((word) => (columns.email as readonly string[]).includes(columnKey(word)));

const cellOf = (fields: ImportedFields, names: readonly string[]): string =>
  (fields[names.find((name) => fields[name] !== undefined) ?? ""] ?? "").trim();

/** Reads a line's values. `now`, ms: no entry began later, and one that has ended is left out. */
export function readEntry(fields: ImportedFields, now: number): ImportedEntry | ImportFault {
  const email = cellOf(fields, columns.email);
  if (email === "") return { value: "", message: "names no address" };
  const parsed = parseSuppressed(email);
  if (parsed === undefined)
    return { value: email, message: "is neither an e-mail address nor a domain such as @b.example" };
  const scope = cellOf(fields, columns.scope) || "*";
  if (scope !== "*" && !/^[a-z0-9-]{1,64}$/.test(scope))
    return { value: scope, message: 'is no scope: "*", or 1 to 64 lower-case letters, digits and hyphens' };
  const created = readTime(cellOf(fields, columns.createdAt));
  if (created.isFault) return { value: created.text, message: "is not a time" };
  const expires = readTime(cellOf(fields, columns.expiresAt));
  if (expires.isFault) return { value: expires.text, message: "is not a time" };
  if (expires.ms !== undefined && expires.ms <= now)
    return { value: expires.text, message: "is past: the suppression has ended" };
  return {
    ...parsed,
    scope,
    // Other services keep whole replies of mail servers.
    reason: cellOf(fields, columns.reason).slice(0, 500),
    createdAt: Math.min(created.ms ?? now, now),
    expiresAt: expires.ms,
  };
}

export const isImportFault = (read: ImportedEntry | ImportFault): read is ImportFault => "message" in read;

interface ReadTime {
  text: string;
  /** `undefined` for none. */
  ms: number | undefined;
  isFault: boolean;
}

/** Seconds or ms since the epoch, ISO 8601, or as in a mail's date; without a zone it is UTC. */
function readTime(text: string): ReadTime {
  if (text === "") return { text, ms: undefined, isFault: false };
  const seconds = /^\d{9,10}(?:\.\d+)?$/.test(text);
  if (seconds || /^\d{12,13}$/.test(text))
    return { text, ms: Math.round(Number(text) * (seconds ? 1_000 : 1)), isFault: false };
  const hasZone = /(?:Z|UTC|GMT|[+-]\d\d:?\d\d)$/i.test(text);
  const ms = Date.parse(hasZone || /^\d{4}-\d\d-\d\d$/.test(text) ? text : `${text.replace("T", " ")} UTC`);
  return { text, ms, isFault: Number.isNaN(ms) };
}
