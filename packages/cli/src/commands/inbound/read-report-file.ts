import { CliError } from "../../program/cli-error.ts";
import { readGiven } from "../../terminal/read-input.ts";

const mostBytes = 1_048_576;

/** A message as the interface takes it, one character a byte; `-` is standard input. At most 1 MiB. */
export async function readReportFile(file: string): Promise<string> {
  const bytes = await readGiven(file);
  if (bytes.length > mostBytes) throw new CliError("limit", "The message is larger than 1 MiB.");
  return bytes.toString("latin1");
}
