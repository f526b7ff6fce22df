import { hash, randomBytes } from "node:crypto";

/** Creates an unguessable token: 32 random bytes as 43 characters of base64url. */
export function createToken(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * Returns the SHA-256 of a token as 64 hex digits. Only this is stored, so that a stolen database contains no usable
 * token.
 */
export function digest(token: string): string {
  return hash("sha256", token, "hex");
}
