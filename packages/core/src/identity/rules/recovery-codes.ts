import { randomInt } from "node:crypto";
import { digest } from "../../rules/tokens.ts";

/** 32 characters without 1, i, l and o (0 can only be a zero): ten of them hold 50 bits. */
const alphabet = "023456789abcdefghjkmnpqrstuvwxyz";

/** Makes ten one-time codes for a lost authenticator, `xxxxx-xxxxx` without look-alike characters. */
export function createRecoveryCodes(): string[] {
  const half = (): string =>
    Array.from({ length: 5 }, () => alphabet.charAt(randomInt(alphabet.length))).join("");
  return Array.from({ length: 10 }, () => `${half()}-${half()}`);
}

/** SHA-256 of a recovery code, whatever its case, dashes and spaces. Only this is stored. */
export function recoveryCodeDigest(code: string): string {
  return digest(code.toLowerCase().replace(/[\s-]/g, ""));
}
