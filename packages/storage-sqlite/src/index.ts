export { backupSqlite } from "./backup-sqlite.ts";
export { createSqliteStorage, type SqliteStorageOptions } from "./create-sqlite-storage.ts";
