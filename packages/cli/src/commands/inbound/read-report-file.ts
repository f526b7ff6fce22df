import { CliError } from "../../program/errors/cli-error.ts";
import { readInputFile } from "../../terminal/read-input.ts";

const maxBytes = 1_048_576;

/** Reads a message in the API's form, one character per byte; `-` is standard input. At most 1 MiB. */
export async function readReportFile(file: string): Promise<string> {
  const bytes = await readInputFile(file);
  if (bytes.length > maxBytes) throw new CliError("limit", "The message is larger than 1 MiB.");
  return bytes.toString("latin1");
}
