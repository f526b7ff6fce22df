import type { Erasure, Erasures } from "@posthorn/core/storage";
import { atomically } from "../../atomically.ts";
import type { Engine, Handle } from "../../engine.ts";
import type { Row } from "../../tables.ts";

const toErasure = (row: Row<"erasures">): Erasure => ({
  id: row.uuid,
  workspaceId: row.workspace_id,
  address: row.address,
  addressKey: row.address_key,
  erasedAs: row.erased_as,
  stage: row.stage as Erasure["stage"],
  cursor: row.cursor_position,
  emails: row.emails,
  campaigns: row.campaigns,
  events: row.events,
  requestedAt: row.requested_at,
});

/** Erasures in progress. */
export const createErasuresRepository = (db: Handle, engine: Engine): Erasures => ({
  async insert(erasure) {
    const inserted = await db
      .insertInto("erasures")
      .values({
        uuid: erasure.id,
        workspace_id: erasure.workspaceId,
        address: erasure.address,
        address_key: erasure.addressKey,
        erased_as: erasure.erasedAs,
        stage: erasure.stage,
        cursor_position: erasure.cursor,
        emails: erasure.emails,
        campaigns: erasure.campaigns,
        events: erasure.events,
        requested_at: erasure.requestedAt,
        due_at: erasure.requestedAt,
      })
      .onConflict((known) => known.columns(["workspace_id", "address_key"]).doNothing())
      .returning("id")
      .execute();
    return inserted.length > 0;
  },
  async nextDueAt() {
    const row = await db
      .selectFrom("erasures")
      .select("due_at")
      .orderBy("due_at")
      .limit(1)
      .executeTakeFirst();
    return row?.due_at;
  },
  take: (now, until, limit) =>
    atomically(db, async (tx) => {
      const due = tx
        .selectFrom("erasures")
        .select("id")
        .where("due_at", "<=", now)
        .orderBy((eb) => eb.case().when("stage", "=", "emails").then(0).else(1).end())
        .orderBy("due_at")
        .limit(limit);
      const ids = (await engine.skipLocked(due).execute()).map(({ id }) => id);
      if (ids.length === 0) return [];
      const rows = await tx
        .updateTable("erasures")
        .set({ due_at: until })
        .where((eb) => engine.anyOf(eb.ref("id"), ids))
        .returningAll()
        .execute();
      return rows.map(toErasure);
    }),
  async note({ id, stage, cursor, emails, campaigns, events }, dueAt) {
    await db
      .updateTable("erasures")
      .set({ stage, cursor_position: cursor, emails, campaigns, events, due_at: dueAt })
      .where("uuid", "=", id)
      .execute();
  },
  async restoreDue(after, now) {
    await db.updateTable("erasures").set({ due_at: now }).where("due_at", ">", after).execute();
  },
  async end(id) {
    return (await db.deleteFrom("erasures").where("uuid", "=", id).returning("id").execute()).length > 0;
  },
});
