export { backupSqlite } from "./backup-sqlite.ts";
export {
  createSqliteStorage,
  type SqliteStorageOptions,
  type SqliteTransaction,
} from "./create-sqlite-storage.ts";
export { isSqliteInUse } from "./is-sqlite-in-use.ts";
