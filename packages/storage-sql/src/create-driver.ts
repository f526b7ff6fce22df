import type { DatabaseConnection, Driver, QueryResult } from "kysely";

/** A connection of Kysely's driver, with the end of its transaction and, if others use it afterwards, its release. */
export interface DriverConnection extends DatabaseConnection {
  /** Begins a transaction. */
  begin(): Promise<void>;
  /** Commits it. */
  commit(): Promise<void>;
  /** Rolls it back. */
  rollback(): Promise<void>;
  /** Leaves the connection to others. */
  release?(): void;
}

/** Kysely's driver over our own connections. */
export const createDriver = (connect: () => DriverConnection): Driver => {
  const ours = new WeakMap<DatabaseConnection, DriverConnection>();
  const of = (connection: DatabaseConnection): DriverConnection => {
    const found = ours.get(connection);
    if (!found) throw new Error("not a connection of this driver");
    return found;
  };
  return {
    init: async () => {},
    async acquireConnection() {
      const connection = connect();
      ours.set(connection, connection);
      return connection;
    },
    beginTransaction: (connection) => of(connection).begin(),
    commitTransaction: (connection) => of(connection).commit(),
    rollbackTransaction: (connection) => of(connection).rollback(),
    releaseConnection: async (connection) => of(connection).release?.(),
    destroy: async () => {},
  };
};

/** Rows are never streamed: the port has no such method. */
export const noStream = async function* <R>(): AsyncGenerator<QueryResult<R>> {
  yield { rows: [] };
  throw new Error("this storage doesn't stream");
};
