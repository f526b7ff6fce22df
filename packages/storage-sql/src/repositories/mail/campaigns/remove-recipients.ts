import type { Removal } from "@posthorn/core/storage";
import type { Engine, Handle } from "../../../engine.ts";
import { lastOfNext } from "./last-of-next.ts";

/**
 * Removes the next recipients of a list, from where the previous piece ended: beside an old transaction, PostgreSQL keeps
 * all that were removed before.
 */
export async function removeRecipients(
  db: Handle,
  id: number,
  limit: number,
  after: number,
): Promise<Removal> {
  const rows = await db
    .deleteFrom("campaign_recipients")
    .where("campaign_id", "=", id)
    .where("position", ">", after)
    .where("position", "<=", lastOfNext(db, id, { after, limit }))
    .returning("position")
    .execute();
  const last = Math.max(...rows.map(({ position }) => position));
  return { removed: rows.length, next: rows.length < limit ? undefined : last };
}

/** Rows of a list removed in one statement; other work can use the thread between two. */
const roundSize = 1_000;

/** Removes a whole list. */
export async function removeList(db: Handle, engine: Engine, id: number): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    after = (await removeRecipients(db, id, roundSize, after)).next;
    if (after !== undefined) await engine.pause();
  }
}
