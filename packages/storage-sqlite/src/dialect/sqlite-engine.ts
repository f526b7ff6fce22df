import {
  claimInSteps,
  codeOf,
  type Engine,
  type Handle,
  isShared,
  madeOf,
  type QueueClaim,
  type QueuePart,
  type QueueRow,
  takeInSteps,
  wordOfColumns,
} from "@posthorn/storage-sql";
import { CompiledQuery, sql } from "kysely";
import { inOrder, partsTextOf, partsValues } from "./find-parts.ts";
import { createInserts } from "./insert-rows.ts";

const unavailable = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM|PROTOCOL|CORRUPT|NOTADB)/;

/**
 * The plus changes no value, but hides it from the planner: SQLite would plan the statement again for each value that
 * is compared by `=`, or limits the rows.
 */
const dueTextOf = (queue: string): string => `
  select email_id, route, lane, due_at, queued_at, attempts, bytes from "${queue}"
  where route = +? and lane = +? and due_at between +? and +? order by due_at, email_id limit +?`;

const id = "integer primary key";

const valuesTable: Engine["valuesTable"] = (alias, types, rows) => {
  const columns = Object.keys(types);
  const fields = columns.map((column, index) => sql`value ->> ${sql.lit(index)} as ${sql.ref(column)}`);
  const values = madeOf(rows, (given) => given.map((row) => columns.map((column) => row[column] ?? null)));
  // Not `json_each`: its rows are text, which each `->>` would parse again.
  return sql`(select ${sql.join(fields)} from jsonb_each(${values})) as ${sql.ref(alias)}`;
};

/** The plus: see `dueTextOf`. */
const unseen: Engine["unseen"] = (value) => sql`+${value}`;

const sharingTable: Engine["sharingTable"] = (alias, types, rows, shared) => {
  const columns = Object.keys(types);
  const own = columns.filter((_, at) => !isShared(shared, at));
  const fields = columns.map((column, at) => {
    const value = isShared(shared, at)
      ? unseen(madeOf(rows, (given) => given[0]?.[column] ?? null))
      : sql`value ->> ${sql.lit(own.indexOf(column))}`;
    return sql`${value} as ${sql.ref(column)}`;
  });
  if (own.length === 0) return sql`(select ${sql.join(fields)}) as ${sql.ref(alias)}`;
  const values = madeOf(rows, (given) => given.map((row) => own.map((column) => row[column] ?? null)));
  return sql`(select ${sql.join(fields)} from jsonb_each(${values})) as ${sql.ref(alias)}`;
};

const fewRows: Engine["fewRows"] = (alias, types, rows, count) => {
  const rowAt = (at: number) =>
    Object.keys(types).map(
      (column) => sql`${unseen(madeOf(rows, (given) => given[at]?.[column] ?? null))} as ${sql.ref(column)}`,
    );
  const selects = Array.from({ length: count }, (_, at) => sql`select ${sql.join(rowAt(at))}`);
  return sql`(${sql.join(selects, sql` union all `)}) as ${sql.ref(alias)}`;
};

/** One writer at a time, who changes rows in place. */
const oneWriter: Pick<Engine, "shard" | "turn" | "leases"> = {
  shard: () => sql<number>`0`,
  turn: () => 0,
  // The writer has the file to itself, and one commit for all waiting work: a counter's lock costs nothing.
  leases: undefined,
};

/**
 * The SQLite engine, for tables whose names begin with `prefix`. Lists are bound as JSON, booleans as 0 and 1 (see
 * `statement-cache.ts`).
 */
export const createSqliteEngine = (
  prefix: string,
  pause: () => Promise<void> | undefined = () => undefined,
): Engine => {
  const tableName = (name: string): string => `${prefix}${name}`;
  const dueText = dueTextOf(tableName("email_queue"));
  const partsText = partsTextOf(`"${tableName("email_queue")}"`, `"${tableName("parked_routes")}"`);
  const lastId: Engine["lastId"] = async (db, table) => {
    const name = tableName(table);
    const query = CompiledQuery.raw(
      `select max(id) as id from (
        select max(id) as id from "${name}" union all select seq from sqlite_sequence where name = +?)`,
      [name],
    );
    const { rows } = await db.executeQuery(query as CompiledQuery<{ id: number | null }>);
    return Number(rows[0]?.id ?? 0);
  };
  const takeDue = async (db: Handle, { wants, now }: Pick<QueueClaim, "wants" | "now">) => {
    const rows: QueueRow[] = [];
    for (const { route, lane, since, limit } of wants) {
      const query = CompiledQuery.raw(dueText, [route, lane, since, now, limit]);
      rows.push(...(await db.executeQuery(query as CompiledQuery<QueueRow>)).rows);
    }
    return rows;
  };
  const engine: Engine = {
    name: "sqlite",
    schema: undefined,
    tableName,
    apart: "tablePrefix",
    ddl: {
      table: (name) => `"${tableName(name)}"`,
      // Index names are shared by the whole file.
      index: (name) => `"${tableName(name)}"`,
      id,
      lastingId: `${id} autoincrement`,
      bigint: "integer",
      bytewise: "text",
      boolean: "integer",
      yes: "1",
      no: "0",
      clustered: "without rowid",
      updated: "",
      churned: "",
      unpacked: () => [],
    },
    table: (name) => sql.id(tableName(name)),
    isUniqueViolation(error) {
      const code = codeOf(error);
      if (code !== "SQLITE_CONSTRAINT_UNIQUE" && code !== "SQLITE_CONSTRAINT_PRIMARYKEY") return undefined;
      const columns = String((error as Error).message).replace("UNIQUE constraint failed: ", "");
      return wordOfColumns(
        columns
          .split(", ")
          .map((column) => column.slice(column.startsWith(prefix) ? prefix.length : 0))
          .join(", "),
      );
    },
    ...oneWriter,
    isUnavailable: (error) => unavailable.test(codeOf(error)),
    forUpdate: (query) => query,
    forShare: (query) => query,
    forReference: (query) => query,
    forRemoval: (query) => query,
    skipLocked: (query) => query,
    forFreeUpdate: (query) => query,
    pause,
    ...createInserts(tableName, pause),
    claimDue: (db, claim) => claimInSteps(db, engine, claim, (tx) => takeDue(tx, claim)),
    takeItems: (db, keys) => takeInSteps(db, engine, keys),
    async findParts(db, { starts, now, limit }) {
      const query = CompiledQuery.raw(partsText, partsValues(starts, now)) as CompiledQuery<QueuePart>;
      return (await db.executeQuery(query)).rows.sort(inOrder).slice(0, limit);
    },
    anyOf: (column, values) => sql`${column} in (select value from json_each(${values}))`,
    fewRows,
    isOneOf: (column, values) => {
      const hidden = values.map(unseen);
      return hidden.length === 1 ? sql`${column} = ${hidden[0]}` : sql`${column} in (${sql.join(hidden)})`;
    },
    unseen,
    valuesTable,
    sharingTable,
    valuesToFind: valuesTable,
    // One writer at a time: readers see all smaller ids.
    findEventHorizon: async () => Number.MAX_SAFE_INTEGER,
    clock: sql<number>`cast(unixepoch('subsec') * 1000 as integer)`,
    asciiBytes: (column) => sql`cast(${column} as blob)`,
    bytewise: (column) => sql`${column}`,
    lastId,
    reserveIds: async () => {},
    // A table without `autoincrement` has no counter: it continues after its highest id.
    async setLastId(db, table, last) {
      const name = tableName(table);
      await sql`delete from sqlite_sequence where name = ${name} and seq < ${last}`.execute(db);
      await sql`
      insert into sqlite_sequence (name, seq) select ${name}, ${last}
      where ${last} > 0 and not exists (select 1 from sqlite_sequence where name = ${name})
        and exists (select 1 from sqlite_master where name = ${name} and sql like '%autoincrement%')`.execute(
        db,
      );
    },
    async listColumns(db) {
      const { rows } = await sql<{ table: string; column: string }>`
        select m.name as "table", p.name as "column" from sqlite_master as m, pragma_table_info(m.name) as p
        where m.type in ('table', 'view') order by m.name`.execute(db);
      return rows;
    },
    // `BEGIN IMMEDIATE` locks out the others.
    lockMigrations: async () => {},
  };
  return engine;
};
