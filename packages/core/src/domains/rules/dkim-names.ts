import { randomBytes, randomInt } from "node:crypto";
import { base32Letters } from "../../rules/base32-letters.ts";

const letters = "abcdefghijklmnopqrstuvwxyz";
const suffixLength = 6;

/**
 * Returns a selector for a new key: `ph`, the month and six random letters. Selectors are practically unique, so that
 * two workspaces can have the same domain, and a domain that is added again gets names that no DNS cache holds.
 */
export function createSelector(now: number): string {
  const month = new Date(now).toISOString().slice(0, 7).replace("-", "");
  const suffix = Array.from({ length: suffixLength }, () => letters.charAt(randomInt(letters.length)));
  return `ph${month}${suffix.join("")}`;
}

/** Returns a token that proves ownership of a domain: 26 characters of base32, 130 bits. */
export const createOwnershipToken = (): string =>
  [...randomBytes(26)].map((byte) => base32Letters.charAt(byte % base32Letters.length)).join("");

/** The signature algorithm of a key. */
export type KeyAlgorithm = "rsa-2048" | "ed25519";

/** The tag `k=` of a key's record (RFC 6376 §3.6.1, RFC 8463 §4). */
export const keyType = (algorithm: KeyAlgorithm): "rsa" | "ed25519" =>
  algorithm === "ed25519" ? "ed25519" : "rsa";

/** Returns the TXT record of a key (RFC 6376 §3.6.1). */
export const dkimValue = ({ algorithm, publicKey }: { algorithm: KeyAlgorithm; publicKey: string }): string =>
  `v=DKIM1; k=${keyType(algorithm)}; p=${publicKey}`;

/**
 * Returns the `p=` of a SubjectPublicKeyInfo in DER: all of it for RSA, the last 32 bytes for Ed25519 (RFC 8463 §4).
 */
export const publicKeyText = (algorithm: KeyAlgorithm, info: Buffer): string =>
  (algorithm === "ed25519" ? info.subarray(-32) : info).toString("base64");

/** Returns the name of a key's record. */
export const dkimName = (selector: string, domain: string): string => `${selector}._domainkey.${domain}`;

/** Returns the value of the ownership record, a TXT record. */
export const ownershipValue = (token: string): string => `posthorn-verification=${token}`;

/** Returns the name of the ownership record. */
export const ownershipName = (domain: string): string => `_posthorn.${domain}`;

/** The context that a private key is sealed for. */
export const privateKeyContext = (domainId: string, selector: string): string =>
  `domain_keys:private_key:${domainId}:${selector}`;
