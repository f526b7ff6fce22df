import type { UsageRequest } from "@posthorn/core/storage";
import { sql } from "kysely";
import type { Engine, Handle } from "../../../engine.ts";
import { columnsOf } from "../../../tables.ts";
import { type Counter, limited, windowsOf } from "./counters.ts";

const windowTypes = columnsOf("usage", ["workspace_id", "window_kind", "window_start"]);

/**
 * Takes back what processes leased of these windows and have not spent, under the counters' lock; returns how much, for
 * the caller to subtract from the counters. The emptied row stays: a process that does not know of the recall fails on
 * it, and charges the counter.
 */
export async function recall(
  db: Handle,
  engine: Engine,
  requests: readonly UsageRequest[],
): Promise<(Omit<Counter, "used"> & { left: number })[]> {
  const windows = requests.flatMap((request) => Object.values(windowsOf(request)));
  const { rows } = await sql<Omit<Counter, "used"> & { left: number }>`
    with held as (
      select u.workspace_id, u.window_kind, u.window_start, u.shard, u.used from ${engine.table("usage")} as u
      where u.shard < ${sql.lit(limited)} and u.used < 0
        and (u.workspace_id, u.window_kind, u.window_start)
          in (select workspace_id, window_kind, window_start from ${engine.valuesToFind("v", windowTypes, windows)})
      order by u.workspace_id, u.window_kind, u.window_start, u.shard for update
    )
    update ${engine.table("usage")} as u set used = 0 from held as h
    where u.workspace_id = h.workspace_id and u.window_kind = h.window_kind and u.window_start = h.window_start
      and u.shard = h.shard
    returning u.workspace_id, u.window_kind, u.window_start, -h.used as left
  `.execute(db);
  const workspaces = new Set(rows.map(({ workspace_id }) => workspace_id));
  for (const workspaceId of workspaces) engine.leases?.forget(workspaceId);
  return rows.map((row) => ({ ...row, left: Number(row.left) }));
}
