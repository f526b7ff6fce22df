import type { Usage, UsageOutcome, UsageRequest, UsageWindow } from "@posthorn/core/storage";
import { sql } from "kysely";
import { atomically } from "../../atomically.ts";
import { createCounters } from "../../create-counters.ts";
import { deferred } from "../../deferred.ts";
import type { Engine, Handle } from "../../engine.ts";
import { prepared } from "../../prepared.ts";
import { columnsOf } from "../../tables.ts";

const addTo = createCounters("usage", "used");

const counterTypes = columnsOf("usage");

/** The shard of what has a limit: whoever charges it locks it. */
const limited = 0;

interface Counter {
  workspace_id: number;
  window_kind: UsageWindow;
  window_start: number;
  used: number;
}

const find = prepared((db, values: { workspaceId: number; hourStart: number; dayStart: number }) =>
  db
    .selectFrom("usage")
    .select((eb) => ["window_kind", eb.fn.sum<number>("used").as("used")])
    .groupBy("window_kind")
    .where("workspace_id", "=", values.workspaceId)
    .where((eb) =>
      eb.or([
        eb.and([eb("window_kind", "=", "hour"), eb("window_start", "=", values.hourStart)]),
        eb.and([eb("window_kind", "=", "day"), eb("window_start", "=", values.dayStart)]),
      ]),
    ),
);

const listFrom = prepared((db, values: { workspaceId: number; start: number }) =>
  db
    .selectFrom("usage")
    .select((eb) => ["window_kind", "window_start", eb.fn.sum<number>("used").as("used")])
    .groupBy(["window_kind", "window_start"])
    .where("workspace_id", "=", values.workspaceId)
    .where("window_start", ">=", values.start),
);

const deleteBefore = prepared((db, values: { start: number; limit: number }) =>
  db
    .deleteFrom("usage")
    .where((eb) =>
      eb(
        eb.refTuple("workspace_id", "window_kind", "window_start", "shard"),
        "in",
        eb
          .selectFrom("usage")
          .select(["workspace_id", "window_kind", "window_start", "shard"])
          .where("window_start", "<", values.start)
          .orderBy("window_start")
          .limit(values.limit)
          .$asTuple("workspace_id", "window_kind", "window_start", "shard"),
      ),
    )
    .returning("workspace_id"),
);

/** Counters of accepted recipients, an hour and a day a workspace. */
export function createUsageRepository(db: Handle, engine: Engine): Usage {
  return {
    reserve: async (requests) =>
      requests.length === 0 ? [] : atomically(db, (tx) => reserve(tx, engine, requests)),
    async count(requests) {
      if (requests.length > 0) await add(db, engine, requests);
    },
    async release(requests) {
      const back = requests.map((request) => ({ ...request, recipients: -request.recipients }));
      if (back.length > 0) await add(db, engine, back);
    },
    listFrom: async (workspaceId, start) =>
      (await listFrom(db, engine, { workspaceId, start })).map((row) => ({
        window: row.window_kind as UsageWindow,
        start: row.window_start,
        used: Number(row.used),
      })),
    async find(workspaceId, hourStart, dayStart) {
      const rows = await find(db, engine, { workspaceId, hourStart, dayStart });
      const used = (kind: UsageWindow) => Number(rows.find((row) => row.window_kind === kind)?.used ?? 0);
      return { hour: used("hour"), day: used("day") };
    },
    deleteBefore: async (start, limit) => (await deleteBefore(db, engine, { start, limit })).length,
  };
}

const keyOf = ({ workspace_id, window_kind, window_start }: Omit<Counter, "used">): string =>
  `${workspace_id} ${window_kind} ${window_start}`;

const windowsOf = ({ workspaceId, hour, day }: UsageRequest) => ({
  hour: { workspace_id: workspaceId, window_kind: "hour" as const, window_start: hour.start },
  day: { workspace_id: workspaceId, window_kind: "day" as const, window_start: day.start },
});

async function reserve(db: Handle, engine: Engine, requests: UsageRequest[]): Promise<UsageOutcome[]> {
  const counters = await lockCounters(db, engine, requests);
  const before = new Map([...counters].map(([key, counter]) => [key, counter.used]));
  const outcomes = requests.map((request) => decide(counters, request));
  const changed = [...counters.values()]
    .map((counter) => ({
      ...counter,
      shard: limited,
      used: counter.used - (before.get(keyOf(counter)) ?? 0),
    }))
    .filter(({ used }) => used > 0);
  if (changed.length > 0) {
    const update = sql`
      update ${engine.table("usage")} as u set used = u.used + v.used
      from ${engine.valuesTable("v", counterTypes, changed)}
      where u.workspace_id = v.workspace_id and u.window_kind = v.window_kind and u.window_start = v.window_start
        and u.shard = v.shard
    `;
    await db.executeQuery(deferred(update.compile(db)));
  }
  return outcomes;
}

/** In one order, so that no two transactions wait for each other. */
const inOrder = (a: Counter, b: Counter): number =>
  a.workspace_id - b.workspace_id ||
  a.window_kind.localeCompare(b.window_kind) ||
  a.window_start - b.window_start;

async function add(db: Handle, engine: Engine, requests: UsageRequest[]): Promise<void> {
  const rows = requests.flatMap((request) =>
    Object.values(windowsOf(request)).map((window) => ({ ...window, by: request.recipients })),
  );
  await addTo(db, engine, rows);
}

/**
 * Makes the counters that are missing and keeps those of limits from others; in one order, so that no two transactions wait for each
 * other. What is used counts all shards: there may have been no limit before.
 */
async function lockCounters(
  db: Handle,
  engine: Engine,
  requests: UsageRequest[],
): Promise<Map<string, Counter>> {
  const wanted = new Map<string, Counter>();
  for (const request of requests) {
    const { hour, day } = windowsOf(request);
    wanted.set(keyOf(hour), { ...hour, used: 0 });
    wanted.set(keyOf(day), { ...day, used: 0 });
  }
  const rows = [...wanted.values()].sort(inOrder).map((counter) => ({ ...counter, shard: limited }));
  // Not an alias: SQLite knows none in `returning`.
  const own = sql.id(engine.tableName("usage"));
  const result = await sql<Counter & { elsewhere: number }>`
    insert into ${engine.table("usage")} (workspace_id, window_kind, window_start, shard, used)
    select workspace_id, window_kind, window_start, shard, used
    from ${engine.valuesTable("v", counterTypes, rows)} where true
    on conflict (workspace_id, window_kind, window_start, shard) do update set used = ${own}.used
    returning workspace_id, window_kind, window_start, used, (
      select coalesce(sum(o.used), 0) from ${engine.table("usage")} as o
      where o.workspace_id = ${own}.workspace_id and o.window_kind = ${own}.window_kind
        and o.window_start = ${own}.window_start and o.shard <> ${sql.lit(limited)}
    ) as elsewhere
  `.execute(db);
  return new Map(
    result.rows.map(({ elsewhere, used, ...row }) => [
      keyOf(row),
      { ...row, used: used + Number(elsewhere) },
    ]),
  );
}

/** Charges both windows or neither. Where neither fits the day is named: it is the longer to wait for. */
function decide(counters: Map<string, Counter>, request: UsageRequest): UsageOutcome {
  const windows = windowsOf(request);
  const hour = counters.get(keyOf(windows.hour));
  const day = counters.get(keyOf(windows.day));
  if (hour === undefined || day === undefined) throw new Error("a usage counter is missing");
  for (const [window, counter] of [["day", day] as const, ["hour", hour] as const]) {
    const { limit } = request[window];
    if (limit > 0 && counter.used + request.recipients > limit)
      return { allowed: false, window, used: counter.used, limit };
  }
  hour.used += request.recipients;
  day.used += request.recipients;
  return { allowed: true };
}
