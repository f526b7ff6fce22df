import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { findReferenceScript } from "../packages/cli/src/service/server/reference-program.ts";

/**
 * Puts the program of the API reference beside the built command, with its licence: users install none of its
 * dependencies.
 */
export async function packReference(folder: URL): Promise<void> {
  const script = findReferenceScript();
  writeFileSync(new URL("reference.js.gz", folder), gzipSync(readFileSync(script), { level: 9 }));
  const licence = readFileSync(join(script, "../../../LICENSE"));
  writeFileSync(new URL("reference.LICENSE.txt", folder), licence);
}
