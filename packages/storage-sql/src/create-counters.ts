import { type RawBuilder, sql } from "kysely";
import { deferredWrite } from "./deferred.ts";
import type { Engine, Handle } from "./engine.ts";
import { prepared } from "./prepared.ts";
import { type ColumnName, columnsOf, type TableName, tables } from "./tables.ts";

type Changed = Record<string, string | number>;

/** The columns that identify a counter. */
type KeyOf<T extends TableName, Total extends string> = Exclude<ColumnName<T>, "shard" | Total>;

/** A change of a counter: the columns that identify it, and what is added. */
type Change<Key extends string> = Record<Key, string | number> & { by: number };

/** Adds to counters, without waiting for the database's answer if possible. */
type Counters<Key extends string> = (
  db: Handle,
  engine: Engine,
  changes: readonly Change<Key>[],
) => Promise<void>;

/** Adds up the changes of each counter; those of one transaction mostly concern the same few. */
export function sumUp<Key extends string>(
  keys: readonly Key[],
  changes: readonly Change<Key>[],
): Change<Key>[] {
  const sums = new Map<string, Change<Key>>();
  let last: Change<Key> | undefined;
  for (const change of changes) {
    // E-mails of one batch mostly count alike: comparing costs a fraction of naming the counter.
    if (last === undefined || !isSame(keys, last, change)) {
      let name = "";
      for (const key of keys) name += `${change[key]}\0`;
      last = sums.get(name);
      if (last === undefined) {
        last = { ...change };
        sums.set(name, last);
        continue;
      }
    }
    last.by += change.by;
  }
  return [...sums.values()];
}

function isSame<Key extends string>(keys: readonly Key[], a: Change<Key>, b: Change<Key>): boolean {
  for (const key of keys) if (a[key] !== b[key]) return false;
  return true;
}

/**
 * Creates an adder to a table's counters, in the column `total`. It uses a shard in which no other open transaction
 * counts, so that concurrent transactions don't wait for each other. Changes of one counter are summed first, and rows
 * are written in primary-key order, which rules out deadlocks. Rows for which `where` is false are not counted.
 */
export function createCounters<T extends TableName, Total extends ColumnName<T>>(
  table: T,
  total: Total,
  where: (engine: Engine) => RawBuilder<unknown> = () => sql`true`,
): Counters<KeyOf<T, Total>> {
  const keys = tables[table].key.filter((column) => column !== "shard") as KeyOf<T, Total>[];
  const types = columnsOf(table, [...keys, total]);
  const addOf = (count?: number) =>
    prepared(
      (_, { rows }: { rows: Changed[] }, engine) => {
        const columns = sql.join([...keys, total].map((column) => sql.id(column)));
        const own = sql.join([...keys, "shard"].map((column) => sql.id(column)));
        const values =
          count === undefined || engine.fewRows === undefined
            ? engine.valuesTable("v", types, rows)
            : engine.fewRows("v", types, rows, count);
        return sql<never>`
      insert into ${engine.table(table)} as c (${columns}, shard)
      select ${columns}, ${engine.shard(rows)} from ${values} where ${where(engine)}
      on conflict (${own}) do update set ${sql.id(total)} = ${sql.id("c", total)} + ${sql.id("excluded", total)}
    `;
      },
      (query) => deferredWrite(query, table),
    );
  const add = addOf();
  // An e-mail that comes alone is counted by hour and day, in all and for its domain.
  const addFew = [1, 2, 3, 4].map(addOf);

  return async (db, engine, changes) => {
    const rows = sumUp(keys, changes)
      .map(({ by, ...change }): Changed => ({ ...change, [total]: by }))
      .sort((a, b) => compare(a, b, keys));
    if (rows.length === 0) return;
    const few = engine.fewRows && addFew[rows.length - 1];
    await (few ?? add)(db, engine, { rows });
  };
}

function compare(a: Changed, b: Changed, keys: readonly string[]): number {
  for (const key of keys) {
    const [left = 0, right = 0] = [a[key], b[key]];
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}
