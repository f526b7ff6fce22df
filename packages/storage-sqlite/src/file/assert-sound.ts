import type { Database } from "better-sqlite3";

/**
 * Throws an error that names the file if its pages are damaged (SQLite's quick_check). It reads the whole file, and holds
 * the thread meanwhile.
 */
export function assertSound(database: Database, filename: string): void {
  const answer = String(database.pragma("quick_check(1)", { simple: true }));
  if (answer === "ok") return;
  throw new Error(`the SQLite file ${filename} is damaged: ${answer}. Restore a backup.`, {
    cause: Object.assign(new Error(answer), { code: "SQLITE_CORRUPT" }),
  });
}
