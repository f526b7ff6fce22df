import type { Imports } from "@posthorn/core/storage";
import { sql } from "kysely";
import type { Engine, Handle } from "../../engine.ts";
import { stillBefore } from "../still-before.ts";

/** Imports of list files that have not ended. */
export const createImportsRepository = (db: Handle, engine: Engine): Imports => ({
  async add({ name, workspaceId, event, count, at }) {
    await db
      .insertInto("list_imports")
      .values({ name, workspace_id: workspaceId, event, count, added_at: at })
      .onConflict((known) =>
        known.column("name").doUpdateSet((is) => ({
          count: sql<number>`${is.ref("list_imports.count")} + ${is.ref("excluded.count")}`,
          added_at: is.ref("excluded.added_at"),
        })),
      )
      .execute();
  },
  async take(name) {
    const taken = await db.deleteFrom("list_imports").where("name", "=", name).returning("count").execute();
    return Number(taken[0]?.count ?? 0);
  },
  async takeBefore(before, limit) {
    const taken = await db
      .deleteFrom("list_imports")
      .where("name", "in", (old) =>
        // One that is being deleted with its workspace holds up no other.
        engine.skipLocked(
          old
            .selectFrom("list_imports")
            .select("name")
            .where("added_at", "<", before)
            .orderBy("added_at")
            .limit(limit),
        ),
      )
      .where(stillBefore("added_at", before))
      .returning(["event", "count"])
      .execute();
    return taken.map(({ event, count }) => ({ event, count: Number(count) }));
  },
});
