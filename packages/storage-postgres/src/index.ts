export type { Timeouts } from "./connections/timeouts.ts";
export { createPostgresStorage } from "./create-postgres-storage.ts";
export {
  hostTransaction,
  type KyselyTransaction,
  type OpenTransaction,
  type PostgresTransaction,
} from "./host/host-transaction.ts";
export type { TransactionQuery } from "./host/query-executor.ts";
export type { PostgresStorageOptions } from "./postgres-storage-options.ts";
