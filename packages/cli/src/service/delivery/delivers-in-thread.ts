import { availableParallelism } from "node:os";
import type { SettingValues } from "../../program/settings/settings.ts";
import { captureUrl } from "../capture-url.ts";
import { sqliteFile } from "../database/open-storage.ts";

/**
 * Whether `serve` delivers in a separate thread: if that is requested, or if there is a core for it; with two cores,
 * PostgreSQL needs the second itself (docs/scaling.md). Captured mail is shown by the process that captured it, and a
 * database in memory belongs to one thread.
 */
export function deliversInThread(
  { worker_thread: asked, smtp_url: url, database_url: database }: SettingValues,
  cores = availableParallelism(),
): boolean {
  const file = sqliteFile(database);
  if (url === captureUrl || file === ":memory:") return false;
  return asked ?? cores > (file === undefined ? 2 : 1);
}
