import {
  type DatabaseConnection,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { renamingTables } from "./renaming-tables.ts";

/** A connection of Kysely's driver, with the end of its transaction. */
export interface SqliteConnection extends DatabaseConnection {
  begin(): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/**
 * Kysely's own adapter assumes a single connection and would admit one caller at a time; here the group commit orders
 * them.
 */
const adapter: DialectAdapter = Object.create(new SqliteAdapter(), {
  supportsMultipleConnections: { value: true },
});

const createDriver = (connect: () => SqliteConnection): Driver => {
  const ours = new WeakMap<DatabaseConnection, SqliteConnection>();
  const of = (connection: DatabaseConnection): SqliteConnection => {
    const found = ours.get(connection);
    if (!found) throw new Error("not a connection of this driver");
    return found;
  };
  return {
    init: async () => {},
    acquireConnection: async () => {
      const connection = connect();
      ours.set(connection, connection);
      return connection;
    },
    beginTransaction: (connection) => of(connection).begin(),
    commitTransaction: (connection) => of(connection).commit(),
    rollbackTransaction: (connection) => of(connection).rollback(),
    releaseConnection: async () => {},
    destroy: async () => {},
  };
};

/** Kysely's dialect over our own connections; `names` maps to the tables' names in the database. */
export const createSqliteDialect = (
  connect: () => SqliteConnection,
  names: ReadonlyMap<string, string>,
): Dialect => ({
  createAdapter: () => adapter,
  createDriver: () => createDriver(connect),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => renamingTables(new SqliteQueryCompiler(), names),
});

/** Rows are never streamed: the port has no such method. */
export const noStream = async function* <R>(): AsyncGenerator<QueryResult<R>> {
  yield { rows: [] };
  throw new Error("this storage doesn't stream");
};

const refuse = () => Promise.reject(new Error("transactions of the file are the storage's own"));

/** Transaction methods for a connection that is never asked to begin one. */
export const noTransactions = { begin: refuse, commit: refuse, rollback: refuse, streamQuery: noStream };
