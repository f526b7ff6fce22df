import type { Usage, UsageOutcome, UsageRequest, UsageWindow } from "@posthorn/core/storage";
import { sql } from "kysely";
import { atomically } from "../../atomically.ts";
import { deferred } from "../../deferred.ts";
import type { Engine, Handle, ValueType } from "../../engine.ts";
import { prepared } from "../../prepared.ts";

const counterTypes = {
  workspace_id: "bigint",
  window_kind: "text",
  window_start: "bigint",
  used: "bigint",
} as const satisfies Record<string, ValueType>;

interface Counter {
  workspace_id: number;
  window_kind: UsageWindow;
  window_start: number;
  used: number;
}

const find = prepared((db, values: { workspaceId: number; hourStart: number; dayStart: number }) =>
  db
    .selectFrom("usage")
    .select(["window_kind", "used"])
    .where("workspace_id", "=", values.workspaceId)
    .where((eb) =>
      eb.or([
        eb.and([eb("window_kind", "=", "hour"), eb("window_start", "=", values.hourStart)]),
        eb.and([eb("window_kind", "=", "day"), eb("window_start", "=", values.dayStart)]),
      ]),
    ),
);

const deleteBefore = prepared((db, values: { start: number; limit: number }) =>
  db
    .deleteFrom("usage")
    .where((eb) =>
      eb(
        eb.refTuple("workspace_id", "window_kind", "window_start"),
        "in",
        eb
          .selectFrom("usage")
          .select(["workspace_id", "window_kind", "window_start"])
          .where("window_start", "<", values.start)
          .orderBy("window_start")
          .limit(values.limit)
          .$asTuple("workspace_id", "window_kind", "window_start"),
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
    async find(workspaceId, hourStart, dayStart) {
      const rows = await find(db, engine, { workspaceId, hourStart, dayStart });
      const used = (kind: UsageWindow) => rows.find((row) => row.window_kind === kind)?.used ?? 0;
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
  const changed = [...counters.values()].filter((counter) => counter.used !== before.get(keyOf(counter)));
  if (changed.length > 0) {
    const update = sql`
      update ${engine.table("usage")} as u set used = v.used
      from ${engine.valuesTable(
        "v",
        counterTypes,
        changed.map((counter) => ({ ...counter })),
      )}
      where u.workspace_id = v.workspace_id and u.window_kind = v.window_kind and u.window_start = v.window_start
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
  const counters = new Map<string, Counter>();
  for (const request of requests) {
    for (const window of Object.values(windowsOf(request))) {
      const used = (counters.get(keyOf(window))?.used ?? 0) + request.recipients;
      counters.set(keyOf(window), { ...window, used });
    }
  }
  const rows = [...counters.values()].sort(inOrder).map((counter) => ({ ...counter }));
  const insert = sql`
    insert into ${engine.table("usage")} as u (workspace_id, window_kind, window_start, used)
    select workspace_id, window_kind, window_start, used
    from ${engine.valuesTable("v", counterTypes, rows)} where true
    on conflict (workspace_id, window_kind, window_start) do update set used = u.used + excluded.used
  `;
  await db.executeQuery(deferred(insert.compile(db)));
}

/** Makes the counters that are missing and keeps all from others; in one order, so that no two transactions wait for each other. */
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
  const rows = [...wanted.values()].sort(inOrder);
  const result = await sql<Counter>`
    insert into ${engine.table("usage")} as u (workspace_id, window_kind, window_start, used)
    select workspace_id, window_kind, window_start, used
    from ${engine.valuesTable(
      "v",
      counterTypes,
      rows.map((row) => ({ ...row })),
    )} where true
    on conflict (workspace_id, window_kind, window_start) do update set used = u.used
    returning workspace_id, window_kind, window_start, used
  `.execute(db);
  return new Map(result.rows.map((row) => [keyOf(row), row]));
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
