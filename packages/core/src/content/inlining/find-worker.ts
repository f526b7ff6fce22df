import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The code of a worker: a file or a script. */
export type WorkerSource = { file: URL } | { script: string };

/**
 * Returns the worker's own file beside this module; if a bundler moved this module, the script that the build embedded.
 * `undefined` if there is neither.
 */
export async function findWorker(): Promise<WorkerSource | undefined> {
  // A CommonJS bundle has no URL of its own.
  const here: string | undefined = import.meta.url;
  const name = here?.endsWith(".ts") ? "./inline-worker.ts" : "./posthorn-inline-worker.js";
  const file = here?.startsWith("file:") ? new URL(name, here) : undefined;
  if (file !== undefined && existsSync(fileURLToPath(file))) return { file };
  const { workerCode } = await import("./worker-code.ts");
  return workerCode === undefined ? undefined : { script: workerCode };
}
