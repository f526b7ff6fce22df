import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { findReferenceScript } from "../packages/cli/src/service/reference-program.ts";

/** Puts the program that shows the reference beside the built command, with its licence: users install none of what it was made from. */
export async function packReference(folder: URL): Promise<void> {
  const script = findReferenceScript();
  writeFileSync(new URL("reference.js.gz", folder), gzipSync(readFileSync(script), { level: 9 }));
  const licence = readFileSync(join(script, "../../../LICENSE"));
  writeFileSync(new URL("reference.LICENSE.txt", folder), licence);
}
