import { hash, randomBytes, timingSafeEqual } from "node:crypto";

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

/** Whether two digests are equal, in constant time. */
export function sameDigest(a: string, b: string): boolean {
  const left = Buffer.from(a, "utf8");
  const right = Buffer.from(b, "utf8");
  return left.length === right.length && timingSafeEqual(left, right);
}
