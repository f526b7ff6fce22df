import { createHmac, hash } from "node:crypto";

/** Prefix of the key of an erased address. No address begins with it. */
export const hashedPrefix = "sha256:";

/**
 * Derives a workspace's key from the installation's random key, so that entries of two workspaces can't be compared.
 */
export const erasureKeyOf = (installationKey: string, workspaceId: number): Buffer =>
  createHmac("sha256", installationKey).update(`suppressions of workspace ${workspaceId}`).digest();

/**
 * Returns the key under which an erased address stays suppressed: the SHA-256 of the workspace's key and the address's
 * key (platform.md P8).
 */
export const hashedUnder = (erasureKey: Buffer, addressKey: string): string =>
  hashedPrefix + hash("sha256", Buffer.concat([erasureKey, Buffer.from(addressKey)]), "hex");

/** Returns the same as `hashedUnder`, from the installation's key. */
export const hashedKey = (installationKey: string, workspaceId: number, addressKey: string): string =>
  hashedUnder(erasureKeyOf(installationKey, workspaceId), addressKey);
