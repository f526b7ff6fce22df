import { ambiguous, fine, type Verdict, wrong } from "./verdict.ts";

/** Terms of an SPF record that need a DNS look-up (RFC 7208 §4.6.4). */
const costly = /^[+?~-]?(?:include:|a(?:[:/]|$)|mx(?:[:/]|$)|ptr(?::|$)|exists:)|^redirect=/i;
/** Maximum look-ups that a receiver makes for an SPF record. */
export const maxLookups = 10;

/** Whether a text is an SPF record (RFC 7208 §4.5). */
export const isSpf = (text: string): boolean => /^v=spf1(?: |$)/i.test(text);

/** Whether a text is meant as a DMARC record, which may have blanks around its signs. */
export const isDmarc = (text: string): boolean => /^v\s*=\s*DMARC1\b/i.test(text);

/** Whether receivers take it for one: the version is in capital letters (RFC 7489 §6.4, §6.6.3). */
const hasVersion = (text: string): boolean => /^[vV]\s*=\s*DMARC1\b/.test(text);

/** Returns the terms of an SPF record. */
const termsOf = (text: string): string[] =>
  text
    .split(/ +/)
    .slice(1)
    .filter((term) => term !== "");

const isAll = (term: string): boolean => /^[+?~-]?all$/i.test(term);

/** A record that an SPF record refers to. */
export interface IncludedSpf {
  /** Its name, in lower case and without a dot at its end. */
  name: string;
  /** Whether what this record allows is allowed by the one that refers to it. */
  allows: boolean;
}

/** Returns the number of look-ups that an SPF record needs, and the records that it includes, or is replaced by. */
export function lookupsOf(text: string): { count: number; records: IncludedSpf[] } {
  const all = termsOf(text);
  const end = all.findIndex(isAll);
  // Nothing behind `all` is evaluated, nor a `redirect` anywhere beside it (RFC 7208 §5.1, §6.1).
  const evaluated = end < 0 ? all : all.slice(0, end).filter((term) => !/^redirect=/i.test(term));
  const terms = evaluated.filter((term) => costly.test(term));
  const records = terms.flatMap((term) => {
    const [, qualifier = "", name] = /^(?:([+?~-]?)include:|redirect=)(.+)$/i.exec(term) ?? [];
    return name === undefined ? [] : { name: plainName(name), allows: qualifier === "" || qualifier === "+" };
  });
  return { count: terms.length, records };
}

const plainName = (name: string): string => name.toLowerCase().replace(/\.$/, "");

/** What an SPF record comes to, with all records that it includes. */
export interface SpfReach {
  /** Number of DNS look-ups that it needs. */
  lookups: number;
  /** Names of the records whose servers it allows, as those of `IncludedSpf`. */
  allowed: ReadonlySet<string>;
}

/** Returns the SPF record with the service's servers included. */
export function spfValue(
  current: string | undefined,
  include: string | undefined,
  reach: SpfReach | undefined,
): string {
  if (include === undefined) return current ?? "";
  if (current === undefined) return `v=spf1 include:${include} ~all`;
  return isAllowed(include, reach) ? current : current.replace(/^v=spf1/i, `v=spf1 include:${include}`);
}

const isAllowed = (include: string, reach: SpfReach | undefined): boolean =>
  reach?.allowed.has(plainName(include)) === true;

/** Judges a domain's SPF records, the first of which comes to `reach`. */
export function judgeSpf(
  texts: readonly string[],
  { include, reach }: { include: string | undefined; reach: SpfReach | undefined },
): Verdict {
  const [text] = texts;
  if (text === undefined)
    return { status: "missing", problem: "not_found", hint: "No SPF record: add the one shown." };
  if (texts.length > 1)
    return ambiguous(
      "several",
      `${texts.length} SPF records exist, which makes all of them invalid. Merge them into one.`,
    );
  if (termsOf(text).some((term) => /^\+?all$/i.test(term)))
    return wrong("passes_all", "+all allows everybody to send in your name. End the record with ~all.");
  if (reach !== undefined && reach.lookups > maxLookups)
    return wrong(
      "too_many_lookups",
      `The record needs more than ${maxLookups} DNS look-ups, at which receivers stop with an error. Remove the terms you don't need.`,
    );
  if (include !== undefined && !isAllowed(include, reach))
    return wrong(
      "include_missing",
      `Add include:${include} to the existing record; don't add a second record.`,
    );
  return fine;
}

/** Judges an organisation's DMARC records. */
export function judgeDmarc(texts: readonly string[]): Verdict {
  if (texts.length === 0)
    return {
      status: "missing",
      problem: "not_found",
      hint: "Gmail, Yahoo and others require a DMARC record from senders of 5,000 mails a day. The record shown is enough to begin with.",
    };
  const [text, ...others] = texts.filter(hasVersion);
  if (text === undefined)
    return wrong(
      "other_value",
      "Receivers ignore the record: its version must be written in capital letters, v=DMARC1.",
    );
  if (others.length > 0)
    return ambiguous(
      "several",
      `${others.length + 1} DMARC records exist, which makes all of them invalid. Keep one.`,
    );
  if (!/;\s*p\s*=\s*(?:none|quarantine|reject)\b/i.test(text))
    return wrong(
      "other_value",
      "The record has no policy: p=none, p=quarantine or p=reject must follow v=DMARC1.",
    );
  return fine;
}
