import { readInputFile } from "../../terminal/read-input.ts";

/** Bytes that are read: what a report says comes first, and behind it the returned e-mail, often with all its files. */
const keptBytes = 1_048_576;

/** Reads the first MiB of a message in the API's form, one character per byte; `-` is standard input. */
export async function readReportFile(file: string): Promise<string> {
  const bytes = await readInputFile(file);
  return bytes.toString("latin1", 0, keptBytes);
}
