import { ambiguous, fine, type Verdict, wrong } from "./verdict.ts";

/** Terms that cost a look-up (RFC 7208 §4.6.4). */
const costly = /^[+?~-]?(?:include:|a(?:[:/]|$)|mx(?:[:/]|$)|ptr(?::|$)|exists:)|^redirect=/i;
/** Look-ups that a receiver makes at the most. */
export const mostLookups = 10;

/** Whether a text is an SPF record (RFC 7208 §4.5). */
export const isSpf = (text: string): boolean => /^v=spf1(?: |$)/i.test(text);

/** Whether a text means to be a DMARC record (RFC 7489 §6.6.3). */
export const isDmarc = (text: string): boolean => /^v=DMARC1\b/i.test(text);

/** The terms of an SPF record. */
const termsOf = (text: string): string[] =>
  text
    .split(/ +/)
    .slice(1)
    .filter((term) => term !== "");

/** What an SPF record asks a receiver to look up: how many, and which of them are records of others. */
export function lookupsOf(text: string): { count: number; records: string[] } {
  const terms = termsOf(text).filter((term) => costly.test(term));
  const records = terms.flatMap((term) => /^(?:[+?~-]?include:|redirect=)(.+)$/i.exec(term)?.[1] ?? []);
  return { count: terms.length, records };
}

/** An SPF record that lets the service's servers send too. */
export function spfValue(current: string | undefined, include: string | undefined): string {
  if (include === undefined) return current ?? "";
  if (current === undefined) return `v=spf1 include:${include} ~all`;
  return holdsInclude(current, include) ? current : current.replace(/^v=spf1/i, `v=spf1 include:${include}`);
}

const holdsInclude = (text: string, include: string): boolean =>
  termsOf(text).some((term) => term.replace(/^\+/, "").toLowerCase() === `include:${include.toLowerCase()}`);

/** What a domain's SPF records come to. `lookups`: how many look-ups they cost, those of the records they include counted along. */
export function judgeSpf(
  texts: readonly string[],
  { include, lookups }: { include: string | undefined; lookups: number },
): Verdict {
  const [text] = texts;
  if (text === undefined)
    return { status: "missing", problem: "not_found", hint: "No SPF record: add the one shown." };
  if (texts.length > 1)
    return ambiguous("several", `${texts.length} SPF records make all of them void. Merge them into one.`);
  if (termsOf(text).some((term) => /^\+?all$/i.test(term)))
    return wrong("passes_all", "+all lets everybody send in your name. End the record with ~all.");
  if (lookups > mostLookups)
    return wrong(
      "too_many_lookups",
      `The record costs more than ${mostLookups} look-ups, where receivers stop with an error. Take out what you don't need.`,
    );
  if (include !== undefined && !holdsInclude(text, include))
    return wrong(
      "include_missing",
      `Put include:${include} into the record that is there; don't add a second.`,
    );
  return fine;
}

/** What an organisation's DMARC records come to. */
export function judgeDmarc(texts: readonly string[]): Verdict {
  const [text] = texts;
  if (text === undefined)
    return {
      status: "missing",
      problem: "not_found",
      hint: "Gmail, Yahoo and others want a DMARC record of whoever sends 5,000 mails a day: the one shown will do to begin with.",
    };
  if (texts.length > 1)
    return ambiguous("several", `${texts.length} DMARC records make all of them void. Leave one.`);
  if (!/;\s*p\s*=\s*(?:none|quarantine|reject)\b/i.test(text))
    return wrong(
      "other_value",
      "The record has no policy: p=none, p=quarantine or p=reject must follow v=DMARC1.",
    );
  return fine;
}
