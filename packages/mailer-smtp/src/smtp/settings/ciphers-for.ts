import type { SecureVersion } from "node:tls";

/** Versions that only OpenSSL's lowest security level still allows. */
const oldVersions: ReadonlySet<SecureVersion> = new Set(["TLSv1", "TLSv1.1"]);

/** The ciphers of connections by the oldest allowed version. They set the security level, also for keys' sizes. */
export const ciphersFor = (minVersion: SecureVersion | undefined): { ciphers?: string } =>
  minVersion !== undefined && oldVersions.has(minVersion) ? { ciphers: "DEFAULT@SECLEVEL=0" } : {};
