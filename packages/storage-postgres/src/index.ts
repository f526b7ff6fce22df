export { createPostgresStorage, type PostgresStorageOptions } from "./create-postgres-storage.ts";
export {
  hostTransaction,
  type KyselyTransaction,
  type OpenTransaction,
  type PostgresTransaction,
  type TransactionQuery,
} from "./host-transaction.ts";
export type { Timeouts } from "./timeouts.ts";
