import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { CliError } from "../program/errors/cli-error.ts";

/** Reads the inbound port's certificate, its chain and its key as one PEM text. Throws a usage error. */
export function readCertificate(files: readonly string[]): string {
  try {
    const pem = files.map((file) => readFileSync(file, "utf8")).join("\n");
    createSecureContext({ cert: pem, key: pem });
    return pem;
  } catch (error) {
    throw new CliError(
      "usage",
      `SERVICE_INBOUND_CERTIFICATE: ${files.join(", ")} can't be used: ${(error as Error).message}.`,
      "It names one or more PEM files, which hold a certificate with its chain, and its key.",
      { cause: error },
    );
  }
}
