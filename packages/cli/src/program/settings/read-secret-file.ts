import { readFileSync } from "node:fs";
import { CliError } from "../errors/cli-error.ts";
import { unreadable } from "./unreadable.ts";

/**
 * Reads a secret from a file that a variable names, such as one of Docker's in `/run/secrets`. Line breaks at its end
 * do not belong to it. Throws a CliError that names the variable if the file can't be read, is empty, or is not UTF-8.
 */
export function readSecretFile(variable: string, path: string): string {
  const fault = (message: string, hint: string): CliError =>
    new CliError("usage", `${variable}: ${path} ${message}.`, hint);
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw unreadable(
      `${variable}: ${path}`,
      error,
      "Name a file that holds the secret and that the service's user may read.",
    );
  }
  let text: string;
  try {
    // Bytes that are no text would all be read as the same character, and a random key would be guessable.
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw fault("is not UTF-8 text", "Write random bytes as text, such as by: openssl rand -base64 48");
  }
  const secret = text.replace(/[\r\n]+$/, "");
  if (secret === "") throw fault("is empty", "Write the secret into it.");
  return secret;
}
