import { createHmac, hash } from "node:crypto";

/** What the key of an erased address begins with: no address does. */
export const hashedPrefix = "sha256:";

/**
 * The key of an address that was erased and stays suppressed: SHA-256 of the workspace's key and the address's (platform.md P8). The
 * workspace's key is derived from the installation's, a random one, so that no two workspaces' entries can be compared.
 */
export function hashedKey(installationKey: string, workspaceId: number, addressKey: string): string {
  const key = createHmac("sha256", installationKey)
    .update(`suppressions of workspace ${workspaceId}`)
    .digest();
  return hashedPrefix + hash("sha256", Buffer.concat([key, Buffer.from(addressKey)]), "hex");
}
