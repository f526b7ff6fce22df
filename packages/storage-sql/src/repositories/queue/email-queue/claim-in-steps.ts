import { sql } from "kysely";
import { atomically } from "../../../atomically.ts";
import { bulkInsert } from "../../../bulk-insert.ts";
import type { ClaimedRow, Engine, Handle, QueueClaim, QueueRow } from "../../../engine.ts";
import { prepared } from "../../../prepared.ts";

const insertItems = bulkInsert("claim_items");

const leaveQueue = prepared((db, { ids }: { ids: number[] }, engine) =>
  db.deleteFrom("email_queue").where((eb) => engine.anyOf(eb.ref("email_id"), ids, "bigint")),
);

const addClaim = prepared((db, values: { worker: string; now: number; until: number; items: number }) =>
  db
    .insertInto("claims")
    .values({
      worker: values.worker,
      claimed_at: values.now,
      renewed_at: values.now,
      until: values.until,
      items: values.items,
    })
    .returning("id"),
);

const findEmails = prepared((db, { ids }: { ids: number[] }, engine) =>
  db
    .selectFrom("emails as e")
    .leftJoin("contents as c", "c.id", "e.content_id")
    .leftJoin("stylesheet_sets as s", "s.id", "e.stylesheet_set_id")
    .selectAll("e")
    .select(["c.hash as content_hash", "s.hash as set_hash"])
    .where((eb) => engine.anyOf(eb.ref("e.id"), ids, "bigint")),
);

const findRecipients = prepared((db, { ids }: { ids: number[] }, engine) =>
  db
    .selectFrom("email_recipients")
    .selectAll()
    .where((eb) => engine.anyOf(eb.ref("email_id"), ids, "bigint"))
    .orderBy("email_id")
    .orderBy("position"),
);

const findErasure = prepared((db) =>
  db.selectFrom("erasures").select("id").where("stage", "=", sql.lit("emails")).limit(sql.lit(1)),
);

/**
 * Claims e-mails by a statement for each step, for an engine to which statements cost little. `takeDue` finds the due
 * e-mails.
 */
export const claimInSteps = (
  db: Handle,
  engine: Engine,
  claim: QueueClaim,
  takeDue: (db: Handle) => Promise<QueueRow[]>,
): Promise<ClaimedRow[]> =>
  atomically(db, async (tx) => {
    const due = withinBytes(await takeDue(tx), claim.maxBytes);
    if (due.length === 0) return [];
    const ids = due.map(({ email_id }) => email_id);
    await leaveQueue(tx, engine, { ids });
    const emails = new Map((await findEmails(tx, engine, { ids })).map((row) => [row.id, row]));
    const there = due.filter(({ email_id }) => emails.has(email_id));
    if (there.length === 0) return [];
    const { worker, now, until } = claim;
    const [added] = await addClaim(tx, engine, { worker, now, until, items: there.length });
    if (added === undefined) throw new Error("a claim has no row");
    await insertItems(
      tx,
      engine,
      there.map((row) => ({ ...row, claim_id: added.id })),
    );
    const recipients = Map.groupBy(await findRecipients(tx, engine, { ids }), ({ email_id }) => email_id);
    const mayBeErased = (await findErasure(tx, engine, {})).length > 0;
    return there.flatMap((item) => {
      const email = emails.get(item.email_id);
      if (email === undefined) return [];
      return { claimId: added.id, item, email, recipients: recipients.get(item.email_id) ?? [], mayBeErased };
    });
  });

/** Returns as many e-mails as fit, but always the first, whatever its size. */
function withinBytes(rows: QueueRow[], most: number): QueueRow[] {
  let total = 0;
  return rows.filter(({ bytes }, index) => {
    total += bytes;
    return index === 0 || total <= most;
  });
}
