import { createReadStream, statSync } from "node:fs";
import { basename } from "node:path";
import { CliError } from "../program/errors/cli-error.ts";

/** A file to upload. */
export interface OpenedFile {
  filename: string;
  /** Size in bytes. */
  size: number;
  content: AsyncIterable<Uint8Array>;
}

/** Opens a file that is read while it is uploaded. Throws `not_found` if it does not exist. */
export function openFile(path: string): OpenedFile {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts === undefined) throw new CliError("not_found", `There is no file ${path}.`);
  if (!facts.isFile()) throw new CliError("usage", `${path} is not a file.`);
  // Opened at the first read, so that an earlier refusal leaves no descriptor open.
  async function* content(): AsyncGenerator<Uint8Array> {
    yield* createReadStream(path);
  }
  return { filename: basename(path), size: facts.size, content: content() };
}
