import { type DatabaseConnection, type Dialect, Transaction, type TransactionBuilder } from "kysely";
import type { Handle } from "./engine.ts";
import type { Database } from "./tables.ts";

/** Runs compiled statements. */
type Execute = DatabaseConnection["executeQuery"];

/**
 * Creates handles whose statements all run on one connection with an open transaction. Compiled statements go to it
 * directly: the query builder's overhead exceeds the cost of most statements of acceptance and delivery.
 */
export const createHandleOn = (
  db: Handle,
  dialect: Dialect,
): ((connection: DatabaseConnection) => Handle) => {
  const driver = dialect.createDriver();
  return (connection) => {
    const executor = db.getExecutor().withConnectionProvider({
      provideConnection: (consumer) => consumer(connection),
    });
    const executeQuery: Execute = (query) => connection.executeQuery(query);
    const handle: Handle = new Transaction<Database>({ config: { dialect }, dialect, driver, executor });
    return Object.assign(handle, { executeQuery });
  };
};

/** The root handle, whose compiled statements and transactions the storage runs itself. */
export const rootHandle = (
  db: Handle,
  roads: { executeQuery: Execute; transaction: <T>(work: (db: Handle) => Promise<T>) => Promise<T> },
): Handle => {
  const builder = { execute: roads.transaction } as unknown as TransactionBuilder<Database>;
  return Object.assign(db, { executeQuery: roads.executeQuery, transaction: () => builder });
};
