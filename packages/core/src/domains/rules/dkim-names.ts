import { randomBytes, randomInt } from "node:crypto";

const base32 = "abcdefghijklmnopqrstuvwxyz234567";
const letters = "abcdefghijklmnopqrstuvwxyz";
const suffixLength = 6;

/**
 * A selector for a new key: `ph`, the month and six letters. By chance alone none comes twice, so that two workspaces may have the same
 * domain, and a domain that is added again gets names that no cache knows.
 */
export function createSelector(now: number): string {
  const month = new Date(now).toISOString().slice(0, 7).replace("-", "");
  const suffix = Array.from({ length: suffixLength }, () => letters.charAt(randomInt(letters.length)));
  return `ph${month}${suffix.join("")}`;
}

/** What shows who owns a domain: 26 characters of base32, 130 bits. */
export const createOwnershipToken = (): string =>
  [...randomBytes(26)].map((byte) => base32.charAt(byte % base32.length)).join("");

/** What a key signs with. */
export type KeyAlgorithm = "rsa-2048" | "ed25519";

/** What a record says of the kind of its key (RFC 6376 §3.6.1, RFC 8463 §4). */
export const keyType = (algorithm: KeyAlgorithm): "rsa" | "ed25519" =>
  algorithm === "ed25519" ? "ed25519" : "rsa";

/** The TXT record of a key (RFC 6376 §3.6.1). */
export const dkimValue = ({ algorithm, publicKey }: { algorithm: KeyAlgorithm; publicKey: string }): string =>
  `v=DKIM1; k=${keyType(algorithm)}; p=${publicKey}`;

/** The `p=` of a SubjectPublicKeyInfo in DER: RSA's whole, of Ed25519 the bare 32 bytes at its end (RFC 8463 §4). */
export const publicKeyText = (algorithm: KeyAlgorithm, info: Buffer): string =>
  (algorithm === "ed25519" ? info.subarray(-32) : info).toString("base64");

/** The name of a key's record. */
export const dkimName = (selector: string, domain: string): string => `${selector}._domainkey.${domain}`;

/** The TXT record of ownership. */
export const ownershipValue = (token: string): string => `posthorn-verification=${token}`;

/** The name of the record of ownership. */
export const ownershipName = (domain: string): string => `_posthorn.${domain}`;

/** What a key's private part is sealed for. */
export const privateKeyContext = (domainId: string, selector: string): string =>
  `domain_keys:private_key:${domainId}:${selector}`;
