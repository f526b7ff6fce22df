export { createPostgresStorage } from "./create-postgres-storage.ts";
export {
  hostTransaction,
  type KyselyTransaction,
  type OpenTransaction,
  type PostgresTransaction,
} from "./host-transaction.ts";
export type { PostgresStorageOptions } from "./postgres-storage-options.ts";
export type { TransactionQuery } from "./query-executor.ts";
export type { Timeouts } from "./timeouts.ts";
