import { sql } from "kysely";
import { deferredWrite } from "../../../deferred.ts";
import type { Engine, Handle } from "../../../engine.ts";
import { prepared } from "../../../prepared.ts";
import { columnsOf, type Row } from "../../../tables.ts";
import { inOrder, windowsOf } from "./counters.ts";
import type { LeasedWindows } from "./lease.ts";

/** Recipients taken from a lease. */
export interface Spending extends LeasedWindows {
  shard: number;
  recipients: number;
}

type Shard = Row<"usage">;

const counterTypes = columnsOf("usage");

/**
 * Adds to a lease's unspent balance, which is a negative number. If the row is missing, for example after a failover to
 * a server that never had the lease, the insert proposes a positive number: the table's check rejects it, as it does
 * overspending.
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

/** Writes what was taken from leases, in the order of the counters' names, in which a recall locks them too. */
export async function spendLeased(db: Handle, engine: Engine, spent: readonly Spending[]): Promise<void> {
  const ordered = [...spent].sort((a, b) => a.workspaceId - b.workspaceId || a.shard - b.shard);
  for (const { shard, recipients, ...windows } of ordered) {
    const rows = Object.values(windowsOf(windows)).map((window) => ({ ...window, shard, used: 0 }));
    await spend(db, engine, { rows: rows.sort(inOrder), recipients });
  }
}
