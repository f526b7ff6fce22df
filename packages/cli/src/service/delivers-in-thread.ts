import { availableParallelism } from "node:os";
import type { SettingValues } from "../program/settings.ts";
import { captureUrl } from "./capture-url.ts";
import { sqliteFile } from "./open-storage.ts";

/**
 * Whether `serve` delivers in a thread of its own: where that is asked for, or there is a core for it, which on two cores PostgreSQL needs
 * for itself (docs/scaling.md). Captured mail is shown by the process that captured it, and a database in memory is one thread's alone.
 */
export function deliversInThread(
  { worker_thread: asked, smtp_url: url, database_url: database }: SettingValues,
  cores = availableParallelism(),
): boolean {
  const file = sqliteFile(database);
  if (url === captureUrl || file === ":memory:") return false;
  return asked ?? cores > (file === undefined ? 2 : 1);
}
