import { readFile } from "node:fs/promises";
import { textOf } from "../terminal/text-of.ts";

/** Reads a file's text; `undefined` if it does not exist. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return textOf(await readFile(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
