import type { UsageRequest } from "@posthorn/core/storage";
import { sql } from "kysely";
import type { Engine, Handle } from "../../../engine.ts";
import { columnsOf } from "../../../tables.ts";
import { addToShard, type Counter, inOrder, keyOf, limited, lockCounters, windowsOf } from "./counters.ts";

/** The windows of a workspace's quota, with their limits. */
export type LeasedWindows = Pick<UsageRequest, "workspaceId" | "hour" | "day">;

/** How much to lease: the recipients wanted at most and at least, and the part of the remaining quota that may be. */
export interface Wanted {
  most: number;
  least: number;
  part: number;
}

/** Leased and unspent recipients, in a shard of this process. */
export interface Block {
  shard: number;
  left: number;
}

const counterTypes = columnsOf("usage");

/**
 * Charges a block of recipients to a workspace's counters, and records it as leased and unspent, in a transaction of
 * its own; returns its size, 0 if there is no room for one. Then nothing is given back of the `former` block either.
 */
export const lease = (
  db: Handle,
  engine: Engine,
  {
    holder,
    most,
    least,
    part,
    former,
    ...wanted
  }: LeasedWindows & Wanted & { holder: number; former?: Block },
): Promise<number> =>
  db.transaction().execute(async (tx) => {
    const counters = await lockCounters(tx, engine, [wanted]);
    const windows = windowsOf(wanted);
    const rooms = (["hour", "day"] as const).flatMap((window) => {
      const { limit } = wanted[window];
      return limit === 0 ? [] : limit - (counters.get(keyOf(windows[window]))?.used ?? 0);
    });
    const block = Math.min(most, Math.floor(Math.min(...rooms) * part));
    if (block < least) return 0;
    const rows: Counter[] = Object.values(windows).map((window) => ({ ...window, used: block }));
    const back = former?.left ?? 0;
    await addToShard(
      tx,
      engine,
      limited,
      rows.map((row) => ({ ...row, used: block - back })),
    );
    // It fails if they were recalled meanwhile.
    if (former !== undefined)
      await addToShard(
        tx,
        engine,
        former.shard,
        rows.map((row) => ({ ...row, used: back })),
      );
    // In the order in which what is spent locks them.
    const held = rows.map((row) => ({ ...row, shard: holder, used: -block })).sort(inOrder);
    await sql`
      insert into ${engine.table("usage")} as u (workspace_id, window_kind, window_start, shard, used)
      select workspace_id, window_kind, window_start, shard, used from ${engine.valuesTable("v", counterTypes, held)} where true
      on conflict (workspace_id, window_kind, window_start, shard) do update set used = u.used + excluded.used
    `.execute(tx);
    return block;
  });
