import { randomInt } from "node:crypto";
import { digest } from "../../rules/tokens.ts";

/** 32 characters without 1, i, l and o, so that 0 can only be a zero. Ten of them hold 50 bits. */
const alphabet = "023456789abcdefghjkmnpqrstuvwxyz";

/** Creates ten one-time codes for a lost authenticator, in the form `xxxxx-xxxxx` without look-alike characters. */
export function createRecoveryCodes(): string[] {
  const half = (): string =>
    Array.from({ length: 5 }, () => alphabet.charAt(randomInt(alphabet.length))).join("");
  return Array.from({ length: 10 }, () => `${half()}-${half()}`);
}

/** Returns the SHA-256 of a recovery code, ignoring case, dashes and spaces. Only this digest is stored. */
export function recoveryCodeDigest(code: string): string {
  return digest(code.toLowerCase().replace(/[\s-]/g, ""));
}
