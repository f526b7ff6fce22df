import { createDriver, type DriverConnection, noStream } from "@posthorn/storage-sql";
import {
  type Dialect,
  type DialectAdapter,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { renamingTables } from "./renaming-tables.ts";

/**
 * Kysely's own adapter assumes a single connection and would admit one caller at a time; here the group commit orders
 * them.
 */
const adapter: DialectAdapter = Object.create(new SqliteAdapter(), {
  supportsMultipleConnections: { value: true },
});

/** Kysely's dialect over our own connections; `names` maps to the tables' names in the database. */
export const createSqliteDialect = (
  connect: () => DriverConnection,
  names: ReadonlyMap<string, string>,
): Dialect => ({
  createAdapter: () => adapter,
  createDriver: () => createDriver(connect),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => renamingTables(new SqliteQueryCompiler(), names),
});

const refuse = () => Promise.reject(new Error("transactions of the file are the storage's own"));

/** Transaction methods for a connection that is never asked to begin one. */
export const noTransactions = { begin: refuse, commit: refuse, rollback: refuse, streamQuery: noStream };
