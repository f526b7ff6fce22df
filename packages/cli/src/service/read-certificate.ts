import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { CliError } from "../program/errors/cli-error.ts";
import { whyUnreadable } from "../program/settings/unreadable.ts";

/** Reads the inbound port's certificate, its chain and its key as one PEM text. Throws a usage error. */
export function readCertificate(files: readonly string[]): string {
  const pem = files.map(readPem).join("\n");
  const names = files.join(", ");
  const [certificate, key] = [parse(() => new X509Certificate(pem)), parse(() => createPrivateKey(pem))];
  // Of an empty text, TLS itself would take none, and the library would use its own, whose key everybody knows.
  if (certificate instanceof Error)
    throw fault(`${names} can't be used: there is no certificate`, certificate);
  if (key instanceof Error) throw fault(`${names} can't be used: ${whyNoKey(pem)}`, key);
  // TLS itself misses a key of another kind than the certificate's, and no client would get a connection.
  if (!certificate.checkPrivateKey(key))
    throw fault(`${names} can't be used: the key is another certificate's`, undefined);
  try {
    createSecureContext({ cert: pem, key: pem });
    return pem;
  } catch (error) {
    throw fault(`${names} can't be used: ${(error as Error).message}`, error);
  }
}

function parse<T extends X509Certificate | KeyObject>(read: () => T): T | Error {
  try {
    return read();
  } catch (error) {
    return error as Error;
  }
}

/** A key that is encrypted says so in its label, or in a header beneath it. */
const whyNoKey = (pem: string): string =>
  /ENCRYPTED/.test(pem) ? "the key has a pass phrase" : "there is no private key";

function readPem(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw fault(`${file} can't be read: ${whyUnreadable(error)}`, error);
  }
}

function fault(message: string, cause: unknown): CliError {
  return new CliError(
    "usage",
    `SERVICE_INBOUND_CERTIFICATE: ${message}.`,
    "It names one or more PEM files, which hold a certificate with its chain, and its key.",
    { cause },
  );
}
