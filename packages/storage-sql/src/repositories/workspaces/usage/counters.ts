import type { UsageRequest, UsageWindow } from "@posthorn/core/storage";
import { type SqlBool, sql } from "kysely";
import { deferredWrite } from "../../../deferred.ts";
import type { Engine, Handle } from "../../../engine.ts";
import { prepared } from "../../../prepared.ts";
import { columnsOf, type Row } from "../../../tables.ts";

/**
 * The shard of limits: charging one locks it. Higher shards count without a limit. Lower shards hold what processes
 * leased and have not spent, as a negative number: the sum is the usage.
 */
export const limited = 0;

/** The count of a workspace in a window. */
export interface Counter {
  workspace_id: number;
  window_kind: UsageWindow;
  window_start: number;
  used: number;
}

/** One shard of a counter. */
type Shard = Row<"usage">;

const counterTypes = columnsOf("usage");

export const keyOf = ({ workspace_id, window_kind, window_start }: Omit<Counter, "used">): string =>
  `${workspace_id} ${window_kind} ${window_start}`;

/** The names of the counters that a request charges. */
export const windowsOf = ({
  workspaceId,
  hour,
  day,
}: Pick<UsageRequest, "workspaceId" | "hour" | "day">) => ({
  hour: { workspace_id: workspaceId, window_kind: "hour" as const, window_start: hour.start },
  day: { workspace_id: workspaceId, window_kind: "day" as const, window_start: day.start },
});

const addToRows = prepared(
  (_, { rows }: { rows: Shard[] }, engine) => sql<never>`
    update ${engine.table("usage")} as u set used = u.used + v.used
    from ${engine.valuesTable("v", counterTypes, rows)}
    where u.workspace_id = v.workspace_id and u.window_kind = v.window_kind and u.window_start = v.window_start
      and u.shard = v.shard
  `,
  (query) => deferredWrite(query, "usage"),
);

/** Adds to existing counters in a shard, without blocking others. */
export async function addToShard(
  db: Handle,
  engine: Engine,
  shard: number,
  changes: readonly Counter[],
): Promise<void> {
  const rows = changes.filter(({ used }) => used !== 0).map((counter) => ({ ...counter, shard }));
  if (rows.length > 0) await addToRows(db, engine, { rows: rows.sort(inOrder) });
}

/** Locks rows in a fixed order, so that transactions can't deadlock. */
export const inOrder = (a: Counter, b: Counter): number =>
  a.workspace_id - b.workspace_id ||
  a.window_kind.localeCompare(b.window_kind) ||
  a.window_start - b.window_start;

interface LockedRow extends Counter {
  elsewhere: number;
}

/** What is counted without a limit in the counters of a table or alias. */
const elsewhereOf = (engine: Engine, own: string) => sql<number>`(
  select coalesce(sum(o.used), 0) from ${engine.table("usage")} as o
  where o.workspace_id = ${sql.id(own, "workspace_id")} and o.window_kind = ${sql.id(own, "window_kind")}
    and o.window_start = ${sql.id(own, "window_start")} and o.shard > ${sql.lit(limited)}
)`;

const windowTypes = columnsOf("usage", ["workspace_id", "window_kind", "window_start"]);

/** The counters of limits among those of `rows`, as a condition on a table's alias. */
const areWanted = (engine: Engine, alias: string, rows: Shard[]) => sql<SqlBool>`
  ${sql.id(alias, "shard")} = ${sql.lit(limited)}
  and (${sql.id(alias, "workspace_id")}, ${sql.id(alias, "window_kind")}, ${sql.id(alias, "window_start")}) in (
    select workspace_id, window_kind, window_start from ${engine.valuesToFind("v", windowTypes, rows)}
  )`;

/**
 * Locks the counters if all are there, as nearly always: to lock them by a change would leave two versions of each for
 * every charge. If one is missing, it locks none: those behind it must not be locked before it is created.
 */
const lock = prepared((db, { rows, count }: { rows: Shard[]; count: number }, engine) =>
  engine.forUpdate(
    db
      .selectFrom("usage as u")
      .select(["u.workspace_id", "u.window_kind", "u.window_start", "u.used"])
      .select(elsewhereOf(engine, "u").as("elsewhere"))
      .where(areWanted(engine, "u", rows))
      .where(
        sql<SqlBool>`(select count(*) from ${engine.table("usage")} as c where ${areWanted(engine, "c", rows)}) = ${count}`,
      )
      .orderBy("u.workspace_id")
      .orderBy("u.window_kind")
      .orderBy("u.window_start"),
  ),
);

const create = prepared((_, { rows }: { rows: Shard[] }, engine) => {
  // Not an alias: SQLite supports none in `returning`.
  const own = sql.id(engine.tableName("usage"));
  return sql<LockedRow>`
    insert into ${engine.table("usage")} (workspace_id, window_kind, window_start, shard, used)
    select workspace_id, window_kind, window_start, shard, used
    from ${engine.valuesTable("v", counterTypes, rows)} where true
    on conflict (workspace_id, window_kind, window_start, shard) do update set used = ${own}.used
    returning workspace_id, window_kind, window_start, used,
      ${elsewhereOf(engine, engine.tableName("usage"))} as elsewhere
  `;
});

/**
 * Creates missing counters and locks those of limits, in one order, so that transactions can't deadlock. Usage includes
 * everything counted without a limit, because there may have been none before, and all leases, spent or not.
 */
export async function lockCounters(
  db: Handle,
  engine: Engine,
  requests: readonly Pick<UsageRequest, "workspaceId" | "hour" | "day">[],
): Promise<Map<string, Counter>> {
  const wanted = new Map<string, Counter & { shard: number }>();
  for (const request of requests)
    for (const window of Object.values(windowsOf(request)))
      wanted.set(keyOf(window), { ...window, shard: limited, used: 0 });
  const rows = [...wanted.values()].sort(inOrder);
  const locked = (await lock(db, engine, { rows, count: rows.length })) as LockedRow[];
  // Of old windows one may be removed while it waits for the lock.
  for (const row of locked) wanted.delete(keyOf(row));
  if (wanted.size > 0)
    locked.push(...(await create(db, engine, { rows: [...wanted.values()].sort(inOrder) })));
  return new Map(
    locked.map(({ elsewhere, used, ...row }) => [keyOf(row), { ...row, used: used + Number(elsewhere) }]),
  );
}
