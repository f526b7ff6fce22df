const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
/** How long delivery of an e-mail is attempted, in ms (decisions §7). */
export const emailLifetime = 48 * hourMs;
/** 6^n exceeds ten hours long before this exponent; larger ones would only overflow. */
const maxExponent = 30;

/**
 * Returns the ms until the next attempt at an e-mail after the `attempt`-th (from 1) failed: 1 min, doubling to 1 h,
 * ±20 %. `undefined` if that exceeds the 48 h of retries (decisions §7), of which `ageMs` have passed; `random` returns
 * 0 to 1.
 */
export function emailRetryDelay(
  attempt: number,
  { ageMs, random }: { ageMs: number; random: () => number },
): number | undefined {
  const delay = jitter(Math.min(minuteMs * 2 ** exponent(attempt), hourMs), random);
  return ageMs + delay > emailLifetime ? undefined : delay;
}

/**
 * Returns the ms until the n-th retry (from 1) of a webhook delivery: `baseSecs` × 6^(n−1), at most 10 h, ±20 %
 * (decisions §10). A longer `Retry-After` is honoured up to 1 h.
 */
export function webhookRetryDelay(
  n: number,
  {
    baseSecs,
    random,
    retryAfterSecs = 0,
  }: { baseSecs: number; random: () => number; retryAfterSecs?: number | undefined },
): number {
  const delay = Math.min(jitter(baseSecs * secondMs * 6 ** exponent(n), random), 10 * hourMs);
  return Math.max(delay, Math.min(retryAfterSecs * secondMs, hourMs));
}

function exponent(n: number): number {
  return Math.min(Math.max(n, 1) - 1, maxExponent);
}

function jitter(delay: number, random: () => number): number {
  return Math.round(delay * (0.8 + 0.4 * random()));
}
