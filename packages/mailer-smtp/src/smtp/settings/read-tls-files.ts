import { readFileSync } from "node:fs";
import { assertUsable, keyPairFault, rootsFault } from "./certificate-faults.ts";
import type { SmtpTls } from "./server-settings.ts";

/** Files of PEM that an SMTP URL names by its parameters; `cert` and `key` are given together. */
interface TlsFiles {
  ca: string | undefined;
  cert: string | undefined;
  key: string | undefined;
}

/** What the files hold. */
type TlsPems = { [K in keyof TlsFiles]: Buffer | undefined };

/**
 * Reads the files that an SMTP URL names, and returns what reads them anew at each connection: certificates end, and
 * another program renews them. While they can't be used, such as in the middle of a renewal, the former ones stay.
 * Throws a TypeError that names the fault, if they can't be used now.
 */
export function readTlsFiles(files: TlsFiles, minVersion: SmtpTls["minVersion"]): () => SmtpTls {
  let known = readPems(files);
  assertAllUsable(known, minVersion);
  return () => {
    try {
      const found = readPems(files);
      if (!isSame(found, known)) {
        assertAllUsable(found, minVersion);
        known = found;
      }
    } catch {
      // The server tells once it takes the former ones no more.
    }
    return Object.fromEntries(Object.entries(known).filter(([, pem]) => pem !== undefined));
  };
}

const readPems = ({ ca, cert, key }: TlsFiles): TlsPems => ({
  ca: readPem("ca_file", ca),
  cert: readPem("cert_file", cert),
  key: readPem("key_file", key),
});

function readPem(name: string, path: string | undefined): Buffer | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(path);
  } catch (error) {
    throw new TypeError(`the SMTP URL's ${name} can't be read: ${(error as Error).message}`);
  }
}

const isSame = (one: TlsPems, other: TlsPems): boolean =>
  (["ca", "cert", "key"] as const).every((name) => {
    const [pem, former] = [one[name], other[name]];
    return pem === former || (pem !== undefined && former !== undefined && pem.equals(former));
  });

function assertAllUsable({ ca, cert, key }: TlsPems, minVersion: SmtpTls["minVersion"]): void {
  assertUsable("the SMTP URL's ca_file", ca && rootsFault(ca));
  if (cert !== undefined && key !== undefined)
    assertUsable("the SMTP URL's cert_file and key_file", keyPairFault(cert, key, minVersion));
}
