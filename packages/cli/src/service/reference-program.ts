import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";
import type { ReferenceProgram } from "@posthorn/http";

/** What shows the reference at `/docs`: packed beside the built command; in the repository, read from where it was installed. */
export const referenceProgram: ReferenceProgram = {
  async script() {
    const packed = await readFile(new URL("./reference.js.gz", import.meta.url)).catch(() => undefined);
    return new Uint8Array(packed ?? gzipSync(await readFile(findReferenceScript())));
  },
};

const require = createRequire(import.meta.url);

/** Where the program stands in the package that the repository builds with. */
export const findReferenceScript = (): string =>
  require.resolve("@scalar/fastify-api-reference").replace(/[^/\\]+$/, "js/standalone.js");
