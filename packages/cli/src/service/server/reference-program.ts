import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";
import type { ReferenceProgram } from "@posthorn/http";

/**
 * The program that renders the reference at `/docs`: packed beside the built command; in the repository, read from its
 * package.
 */
export const referenceProgram: ReferenceProgram = {
  async script() {
    const packed = await readFile(new URL("./reference.js.gz", import.meta.url)).catch(() => undefined);
    return new Uint8Array(packed ?? gzipSync(await readFile(findReferenceScript())));
  },
};

const require = createRequire(import.meta.url);

/** Path of the program in its package. */
export const findReferenceScript = (): string =>
  require.resolve("@scalar/fastify-api-reference").replace(/[^/\\]+$/, "js/standalone.js");
