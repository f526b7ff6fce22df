import type { Database, Statement } from "better-sqlite3";
import type { QueryResult } from "kysely";

/** Above this, the oldest prepared statement is dropped: texts that differ per call must not pile up. */
const capacity = 1_000;

/** Values for SQLite: booleans as 0 and 1, lists as JSON, absence as `null`. */
export const bound = (value: unknown): unknown => {
  if (value === undefined) return null;
  if (typeof value === "boolean") return value ? 1 : 0;
  return Array.isArray(value) ? JSON.stringify(value) : value;
};

/** A connection's statements, each prepared once. */
export interface StatementCache {
  get(text: string): Statement;
  /** Runs a statement now, on this thread. */
  run<R>(text: string, parameters: readonly unknown[]): QueryResult<R>;
}

/** Whether the connection's SQLite has `jsonb_each`, as versions from 3.51 have. */
const hasBinaryRows = (database: Database): boolean => {
  try {
    return database.prepare("select 1 from jsonb_each('[]')").reader;
  } catch {
    return false;
  }
};

export const createStatementCache = (database: Database): StatementCache => {
  const statements = new Map<string, Statement>();
  // A host's handle may come from an older better-sqlite3. `json_each` has the same rows, as text.
  const written = hasBinaryRows(database)
    ? (text: string) => text
    : (text: string) => text.replaceAll("jsonb_each(", "json_each(");
  const get = (text: string): Statement => {
    const known = statements.get(text);
    if (known) return known;
    // A host's handle may have another default.
    const statement = database.prepare(written(text)).safeIntegers(false);
    if (statements.size >= capacity) {
      for (const oldest of statements.keys()) {
        statements.delete(oldest);
        break;
      }
    }
    statements.set(text, statement);
    return statement;
  };
  return {
    get,
    run<R>(text: string, parameters: readonly unknown[]) {
      const statement = get(text);
      const values = parameters.map(bound);
      if (statement.reader) return { rows: statement.all(values) as R[] };
      const { changes, lastInsertRowid } = statement.run(values);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    },
  };
};
