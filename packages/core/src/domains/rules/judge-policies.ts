import { ambiguous, fine, type Verdict, wrong } from "./verdict.ts";

/** Terms of an SPF record that need a DNS look-up (RFC 7208 §4.6.4). */
const costly = /^[+?~-]?(?:include:|a(?:[:/]|$)|mx(?:[:/]|$)|ptr(?::|$)|exists:)|^redirect=/i;
/** Maximum look-ups that a receiver makes for an SPF record. */
export const maxLookups = 10;

/** Whether a text is an SPF record (RFC 7208 §4.5). */
export const isSpf = (text: string): boolean => /^v=spf1(?: |$)/i.test(text);

/** Whether a text begins like a DMARC record (RFC 7489 §6.6.3). */
export const isDmarc = (text: string): boolean => /^v=DMARC1\b/i.test(text);

/** Returns the terms of an SPF record. */
const termsOf = (text: string): string[] =>
  text
    .split(/ +/)
    .slice(1)
    .filter((term) => term !== "");

/** Returns the number of look-ups that an SPF record needs, and the names of the records that it includes. */
export function lookupsOf(text: string): { count: number; records: string[] } {
  const terms = termsOf(text).filter((term) => costly.test(term));
  const records = terms.flatMap((term) => /^(?:[+?~-]?include:|redirect=)(.+)$/i.exec(term)?.[1] ?? []);
  return { count: terms.length, records };
}

/** Returns the SPF record with the service's servers included. */
export function spfValue(current: string | undefined, include: string | undefined): string {
  if (include === undefined) return current ?? "";
  if (current === undefined) return `v=spf1 include:${include} ~all`;
  return holdsInclude(current, include) ? current : current.replace(/^v=spf1/i, `v=spf1 include:${include}`);
}

const holdsInclude = (text: string, include: string): boolean =>
  termsOf(text).some((term) => term.replace(/^\+/, "").toLowerCase() === `include:${include.toLowerCase()}`);

/**
 * Judges a domain's SPF records. `lookups` is the number of look-ups that they need, including those of included
 * records.
 */
export function judgeSpf(
  texts: readonly string[],
  { include, lookups }: { include: string | undefined; lookups: number },
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
  if (lookups > maxLookups)
    return wrong(
      "too_many_lookups",
      `The record needs more than ${maxLookups} DNS look-ups, at which receivers stop with an error. Remove the terms you don't need.`,
    );
  if (include !== undefined && !holdsInclude(text, include))
    return wrong(
      "include_missing",
      `Add include:${include} to the existing record; don't add a second record.`,
    );
  return fine;
}

/** Judges an organisation's DMARC records. */
export function judgeDmarc(texts: readonly string[]): Verdict {
  const [text] = texts;
  if (text === undefined)
    return {
      status: "missing",
      problem: "not_found",
      hint: "Gmail, Yahoo and others require a DMARC record from senders of 5,000 mails a day. The record shown is enough to begin with.",
    };
  if (texts.length > 1)
    return ambiguous(
      "several",
      `${texts.length} DMARC records exist, which makes all of them invalid. Keep one.`,
    );
  if (!/;\s*p\s*=\s*(?:none|quarantine|reject)\b/i.test(text))
    return wrong(
      "other_value",
      "The record has no policy: p=none, p=quarantine or p=reject must follow v=DMARC1.",
    );
  return fine;
}
