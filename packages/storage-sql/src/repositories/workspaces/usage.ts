import type { Usage, UsageRequest, UsageWindow } from "@posthorn/core/storage";
import { createCounters, sumUp } from "../../create-counters.ts";
import type { Engine, Handle } from "../../engine.ts";
import { prepared } from "../../prepared.ts";
import { runOnLeases } from "../../run-on-leases.ts";
import { reserve } from "./usage/reserve.ts";

const addTo = createCounters("usage", "used");
const windowKeys = ["workspace_id", "hour", "day"] as const;

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

/** Counters of accepted recipients, per hour and day of a workspace. */
export function createUsageRepository(db: Handle, engine: Engine): Usage {
  return {
    async reserve(requests) {
      if (requests.length === 0) return [];
      return db.isTransaction
        ? reserve(db, engine, requests)
        : runOnLeases(db, engine, (tx) => reserve(tx, engine, requests));
    },
    setAside: async (request) => (await engine.leases?.setAside(engine, request)) ?? true,
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

async function add(db: Handle, engine: Engine, requests: UsageRequest[]): Promise<void> {
  const sums = sumUp(
    windowKeys,
    requests.map(({ workspaceId: workspace_id, hour, day, recipients: by }) => ({
      workspace_id,
      hour: hour.start,
      day: day.start,
      by,
    })),
  );
  const rows = sums.flatMap(({ workspace_id, hour, day, by }) => [
    { workspace_id, window_kind: "hour", window_start: hour, by },
    { workspace_id, window_kind: "day", window_start: day, by },
  ]);
  await addTo(db, engine, rows);
}
