export { createPostgresStorage, type PostgresStorageOptions } from "./create-postgres-storage.ts";
export type { Timeouts } from "./timeouts.ts";
