export { backupSqlite } from "./backup-sqlite.ts";
export {
  createSqliteStorage,
  type SqliteStorageOptions,
  type SqliteTransaction,
} from "./create-sqlite-storage.ts";
