import { chmod, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { findMemoryFolder } from "./memory-folder.ts";

/**
 * Has all tests, and the processes that they start, make their temporary files in one folder, in memory if there is room: they make
 * thousands of SQLite files, each with dozens of syncs. What a test leaves behind goes with the folder.
 */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(await findMemoryFolder(), "posthorn-tests-"));
  // PostgreSQL runs as another user if the tests run as root, and reads a file in it.
  await chmod(folder, 0o711);
  process.env["TMPDIR"] = folder;
  return () => rm(folder, { recursive: true, force: true });
}
