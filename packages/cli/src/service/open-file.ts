import { createReadStream, statSync } from "node:fs";
import { basename } from "node:path";
import { CliError } from "../program/cli-error.ts";

/** A file to be uploaded. */
export interface OpenedFile {
  filename: string;
  /** Bytes. */
  size: number;
  content: AsyncIterable<Uint8Array>;
}

/** A file that is read as it is uploaded. Throws `not_found` where there is none. */
export function openFile(path: string): OpenedFile {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts === undefined) throw new CliError("not_found", `There is no file ${path}.`);
  if (!facts.isFile()) throw new CliError("usage", `${path} is not a file.`);
  // Opened when it is first read: what is refused before leaves no descriptor open.
  async function* content(): AsyncGenerator<Uint8Array> {
    yield* createReadStream(path);
  }
  return { filename: basename(path), size: facts.size, content: content() };
}
