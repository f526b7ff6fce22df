import { existsSync } from "node:fs";
import { readTextFile } from "../terminal/read-input.ts";

/** Reads a file's text; `undefined` if it does not exist. */
export const readIfThere = async (path: string): Promise<string | undefined> =>
  existsSync(path) ? await readTextFile(path) : undefined;
