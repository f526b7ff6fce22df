import { randomInt } from "node:crypto";
import { digest } from "../../rules/tokens.ts";

/** 32 characters without 1, i, l and o, so that 0 can only be a zero. */
const alphabet = "023456789abcdefghjkmnpqrstuvwxyz";

/**
 * Creates ten one-time codes for a lost authenticator, in the form `xxxxx-xxxxx-xxxxx` without look-alike characters. They
 * have 75 bits: of 50, somebody with a copy of the database tries all against the digests in a day.
 */
export function createRecoveryCodes(): string[] {
  const group = (): string =>
    Array.from({ length: 5 }, () => alphabet.charAt(randomInt(alphabet.length))).join("");
  return Array.from({ length: 10 }, () => [group(), group(), group()].join("-"));
}

/** Returns the SHA-256 of a recovery code, ignoring case, dashes and spaces. Only this digest is stored. */
export function recoveryCodeDigest(code: string): string {
  return digest(code.toLowerCase().replace(/[\s-]/g, ""));
}
