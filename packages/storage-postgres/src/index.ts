export { createPostgresStorage, type PostgresStorageOptions } from "./create-postgres-storage.ts";
export {
  hostTransaction,
  type KyselyTransaction,
  type OpenTransaction,
  type PostgresTransaction,
} from "./host-transaction.ts";
export type { TransactionQuery } from "./query-executor.ts";
export type { Timeouts } from "./timeouts.ts";
