import { createSecureContext } from "node:tls";
import { assertUsable, type CertificateFault, keyPairFault, rootsFault } from "./certificate-faults.ts";
import type { SmtpTls } from "./server-settings.ts";

/** Throws a `TypeError` for settings by which each connection would fail, and the mail wait until it is given up. */
export function checkTls({ ca, cert, key, minVersion }: SmtpTls): void {
  // Node itself takes several in a list, too.
  for (const one of [ca].flat()) if (one !== undefined) assertUsable("tls.ca", rootsFault(one));
  if ((cert === undefined) !== (key === undefined))
    throw new TypeError("tls.cert and tls.key must be given together");
  if (minVersion !== undefined) assertUsable("tls.minVersion", versionFault(minVersion));
  if (cert !== undefined && key !== undefined)
    assertUsable("tls.cert and tls.key", keyPairFault(cert, key, minVersion));
}

function versionFault(minVersion: NonNullable<SmtpTls["minVersion"]>): CertificateFault | undefined {
  try {
    createSecureContext({ minVersion });
    return undefined;
  } catch (cause) {
    return { why: "there is no such version", cause };
  }
}
