export { type BackupOptions, backupSqlite } from "./backup-sqlite.ts";
export { createSqliteStorage, type SqliteTransaction } from "./create-sqlite-storage.ts";
export type { SqliteStorageOptions } from "./sqlite-storage-options.ts";
