import {
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";

/** A connection of Kysely's driver, with the end of its transaction and its release. */
export interface PostgresConnection extends DatabaseConnection {
  begin(): Promise<void>;
  commit(): Promise<void>;
  /** Never rejects: the original error is the one to report. */
  rollback(): Promise<void>;
  release(): void;
}

const createDriver = (connect: () => PostgresConnection): Driver => {
  const ours = new WeakMap<DatabaseConnection, PostgresConnection>();
  const of = (connection: DatabaseConnection): PostgresConnection => {
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
    releaseConnection: async (connection) => of(connection).release(),
    destroy: async () => {},
  };
};

/** Kysely's dialect over our own connections. */
export const createPostgresDialect = (connect: () => PostgresConnection): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => createDriver(connect),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
});

/** Rows are never streamed: the port has no such method. */
export const noStream = async function* <R>(): AsyncGenerator<QueryResult<R>> {
  yield { rows: [] };
  throw new Error("this storage doesn't stream");
};
