import { readFileSync } from "node:fs";
import { keyPairFault } from "@posthorn/mailer-smtp/internal";
import { CliError } from "../../program/errors/cli-error.ts";
import { whyUnreadable } from "../../program/settings/unreadable.ts";

/** Reads the inbound port's certificate, its chain and its key as one PEM text. Throws a usage error. */
export function readCertificate(files: readonly string[]): string {
  const pem = files.map(readPem).join("\n");
  // Of an empty text, TLS itself would take no certificate, and the library would use its own, whose key everybody knows.
  const unfit = keyPairFault(pem, pem);
  if (unfit !== undefined) throw fault(`${files.join(", ")} can't be used: ${unfit.why}`, unfit.cause);
  return pem;
}

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
