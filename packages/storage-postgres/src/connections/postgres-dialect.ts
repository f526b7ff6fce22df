import { createDriver, type DriverConnection } from "@posthorn/storage-sql";
import { type Dialect, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely";

/** A connection of Kysely's driver, with the end of its transaction and its release. */
export interface PostgresConnection extends DriverConnection {
  /** Never rejects: the original error is the one to report. */
  rollback(): Promise<void>;
  release(): void;
}

/** Kysely's dialect over our own connections. */
export const createPostgresDialect = (connect: () => PostgresConnection): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => createDriver(connect),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
});
