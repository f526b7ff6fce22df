import { createHmac, hash } from "node:crypto";

/** What the key of an erased address begins with: no address does. */
export const hashedPrefix = "sha256:";

/** The key of a workspace's erased addresses, derived from the installation's, a random one: no two workspaces' entries can be compared. */
export const erasureKeyOf = (installationKey: string, workspaceId: number): Buffer =>
  createHmac("sha256", installationKey).update(`suppressions of workspace ${workspaceId}`).digest();

/** The key of an address that was erased and stays suppressed: SHA-256 of the workspace's key and the address's (platform.md P8). */
export const hashedUnder = (erasureKey: Buffer, addressKey: string): string =>
  hashedPrefix + hash("sha256", Buffer.concat([erasureKey, Buffer.from(addressKey)]), "hex");

/** The same from the installation's key. */
export const hashedKey = (installationKey: string, workspaceId: number, addressKey: string): string =>
  hashedUnder(erasureKeyOf(installationKey, workspaceId), addressKey);
