import { emailLifetime } from "../../rules/backoff.ts";

const hourMs = 3_600_000;
/** How long a domain must have been missing before it is believed to be gone, ms (platform.md P7). */
const longMissing = 48 * hourMs;
/** How much longer than other e-mails one is tried whose first answer was that the domain is missing, so that the 48 hours become full, ms. */
const grace = 2 * hourMs;

/** That there is no such domain. */
const missing =
  /domain (?:name )?(?:was |is )?not found|nx ?domain|no such domain|non-?existent domain|domain (?:name )?(?:\S+ )?does ?n[o']t exist|host (?:or domain name )?not found/i;
/** That it could not be found out, or that another name is meant: the sender's, or the one that we greet with. */
const another =
  /try again|time-?d? ?out|serv ?fail|temporar|\bsender\b|\bmail from\b|\bhelo\b|\behlo\b|client host/i;

/** What a server said of a recipient. */
interface Said {
  /** `undefined` where no server said it. */
  code: number | undefined;
  reply: string;
}

/** Whether a reply says that the recipient's domain does not exist: RFC 3463's X.1.2, X.4.4 and none that tells more, with words. */
export function saysDomainMissing({ code, reply }: Said): boolean {
  if (code === undefined || code < 400) return false;
  const text = reply.slice(0, 2_000);
  const [, enhanced = ""] = /^\s*(?:\d{3}[ -])?([45]\.\d{1,3}\.\d{1,3})\b/.exec(text) ?? [];
  return /^(?:|\d\.(?:0\.0|1\.[02]|4\.[034]))$/.test(enhanced) && missing.test(text) && !another.test(text);
}

/** Since when each answer about a recipient was that its domain is missing, ms; where no server answered, all stays as it was. */
export function missingSince(
  said: Said,
  { before, now }: { before: number | undefined; now: number },
): number | undefined {
  if (said.code === undefined) return before;
  return saysDomainMissing(said) ? (before ?? now) : undefined;
}

/** Whether a domain that was missing since then is gone by now. */
export const isDomainGone = (since: number | undefined, now: number): boolean =>
  since !== undefined && now - since >= longMissing;

/**
 * How many ms a recipient whose domain is missing waits when its e-mail's 48 hours are over: until its domain is known to be gone;
 * `undefined` where that takes more than 2 hours.
 */
export function missingDomainDelay(
  since: number | undefined,
  { now, ageMs }: { now: number; ageMs: number },
): number | undefined {
  if (since === undefined || isDomainGone(since, now)) return undefined;
  const delay = since + longMissing - now;
  return ageMs + delay > emailLifetime + grace ? undefined : delay;
}
