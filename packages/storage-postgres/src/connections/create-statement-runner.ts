import type { Handle } from "@posthorn/storage-sql";
import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import type { PostgresConnection } from "./postgres-dialect.ts";

/** Runs single statements and transactions, each on a connection that it takes and releases. */
export const createStatementRunner = (
  connect: () => PostgresConnection,
  handleOf: (connection: DatabaseConnection) => Handle,
) => ({
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const connection = connect();
    try {
      return await connection.executeQuery<R>(query);
    } finally {
      connection.release();
    }
  },
  async transaction<T>(work: (db: Handle) => Promise<T>): Promise<T> {
    const connection = connect();
    let begun = false;
    try {
      await connection.begin();
      begun = true;
      const result = await work(handleOf(connection));
      await connection.commit();
      return result;
    } catch (error) {
      if (begun) await connection.rollback();
      throw error;
    } finally {
      connection.release();
    }
  },
});
