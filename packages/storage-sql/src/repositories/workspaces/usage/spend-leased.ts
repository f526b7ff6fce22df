import { sql } from "kysely";
import { deferredWrite } from "../../../deferred.ts";
import type { Engine, Handle } from "../../../engine.ts";
import { prepared } from "../../../prepared.ts";
import { columnsOf, type Row } from "../../../tables.ts";
import { inOrder, windowsOf } from "./counters.ts";
import type { LeasedWindows } from "./lease.ts";

/** Recipients that were taken of a lease. */
export interface Spending extends LeasedWindows {
  shard: number;
  recipients: number;
}

type Shard = Row<"usage">;

const counterTypes = columnsOf("usage");

/**
 * Adds to what is held of a lease, which is a number below 0. A row that is not there, as after a failover to a server that never heard of the
 * lease, is proposed as more than 0: the table's check refuses it as it refuses spending too much.
 */
const spend = prepared(
  (_, { rows, recipients }: { rows: Shard[]; recipients: number }, engine) => sql<never>`
    insert into ${engine.table("usage")} as u (workspace_id, window_kind, window_start, shard, used)
    select v.workspace_id, v.window_kind, v.window_start, v.shard, case when exists (
      select 1 from ${engine.table("usage")} as o where o.workspace_id = v.workspace_id
        and o.window_kind = v.window_kind and o.window_start = v.window_start and o.shard = v.shard
    ) then 0 else 1 end
    from ${engine.valuesTable("v", counterTypes, rows)} where true
    on conflict (workspace_id, window_kind, window_start, shard) do update set used = u.used + ${recipients}
  `,
  (query) => deferredWrite(query, "usage"),
);

/** Writes down what was taken of leases, in the order of the counters' names, as whoever recalls them locks them. */
export async function spendLeased(db: Handle, engine: Engine, spent: readonly Spending[]): Promise<void> {
  const ordered = [...spent].sort((a, b) => a.workspaceId - b.workspaceId || a.shard - b.shard);
  for (const { shard, recipients, ...windows } of ordered) {
    const rows = Object.values(windowsOf(windows)).map((window) => ({ ...window, shard, used: 0 }));
    await spend(db, engine, { rows: rows.sort(inOrder), recipients });
  }
}
