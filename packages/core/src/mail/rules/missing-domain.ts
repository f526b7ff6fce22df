import { emailLifetime } from "../../rules/backoff.ts";

const hourMs = 3_600_000;
/** Ms for which a domain must have been missing before it is considered gone (platform.md P7). */
const longMissing = 48 * hourMs;
/**
 * Additional ms of retries for an e-mail whose first reply was that the domain is missing, so that the 48 hours can be
 * completed.
 */
const grace = 2 * hourMs;

/** Replies that the domain does not exist. */
const missing =
  /domain (?:name )?(?:was |is )?not found|nx ?domain|no such domain|non-?existent domain|domain (?:name )?(?:\S+ )?does ?n[o']t exist|host (?:or domain name )?not found/i;
/** Replies about a temporary failure of the lookup, or about another name: the sender's, or the one in our greeting. */
const another =
  /try again|time-?d? ?out|serv ?fail|temporar|\bsender\b|\bmail from\b|\bhelo\b|\behlo\b|client host/i;

/** A server's reply about a recipient. */
interface Said {
  /** `undefined` if no server replied. */
  code: number | undefined;
  reply: string;
}

/**
 * Whether a reply says that the recipient's domain does not exist: RFC 3463's X.1.2, X.4.4 or a code without further
 * information, with matching words.
 */
export function saysDomainMissing({ code, reply }: Said): boolean {
  if (code === undefined || code < 400) return false;
  const text = reply.slice(0, 2_000);
  const [, enhanced = ""] = /^\s*(?:\d{3}[ -])?([45]\.\d{1,3}\.\d{1,3})\b/.exec(text) ?? [];
  return /^(?:|\d\.(?:0\.0|1\.[02]|4\.[034]))$/.test(enhanced) && missing.test(text) && !another.test(text);
}

/**
 * Returns the time, in ms, since which each reply about a recipient was that its domain is missing; unchanged if no
 * server replied.
 */
export function missingSince(
  said: Said,
  { before, now }: { before: number | undefined; now: number },
): number | undefined {
  if (said.code === undefined) return before;
  return saysDomainMissing(said) ? (before ?? now) : undefined;
}

/** Whether a domain missing since that time is considered gone. */
export const isDomainGone = (since: number | undefined, now: number): boolean =>
  since !== undefined && now - since >= longMissing;

/**
 * Returns the ms until the next attempt for a recipient whose domain is missing when its e-mail's 48 hours are over:
 * the time until the domain is considered gone; `undefined` if that exceeds 2 hours.
 */
export function missingDomainDelay(
  since: number | undefined,
  { now, ageMs }: { now: number; ageMs: number },
): number | undefined {
  if (since === undefined || isDomainGone(since, now)) return undefined;
  const delay = since + longMissing - now;
  return ageMs + delay > emailLifetime + grace ? undefined : delay;
}
