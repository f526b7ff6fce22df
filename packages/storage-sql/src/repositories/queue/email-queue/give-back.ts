import type { Claim, EmailLease } from "@posthorn/core/storage";
import { sql } from "kysely";
import { atomically } from "../../../atomically.ts";
import { bulkInsert } from "../../../bulk-insert.ts";
import { deferredWrite } from "../../../deferred.ts";
import type { Engine, Handle } from "../../../engine.ts";
import { prepared } from "../../../prepared.ts";
import type { Row } from "../../../tables.ts";
import { insertAttempts, interruptedAttempt } from "./attempts.ts";

/** An e-mail's row in `claim_items`. */
export type ItemRow = Row<"claim_items">;

/** Inserts e-mails into the queue, new ones or ones given back. */
export const enqueue = bulkInsert("email_queue");

const removeEmpty = prepared(
  (db, { ids }: { ids: number[] }, engine) =>
    db.deleteFrom("claims").where((eb) => engine.anyOf(eb.ref("id"), ids, "bigint")),
  (query) => deferredWrite(query, "claims"),
);

/** Takes e-mails from the claims that still hold them. A claim is deleted with its last e-mail. */
export async function takeItems(
  db: Handle,
  engine: Engine,
  leases: readonly EmailLease[],
): Promise<ItemRow[]> {
  const rows = leases
    .map(({ row, claimId }) => ({ email_id: row, claim_id: claimId }))
    .sort((a, b) => a.email_id - b.email_id);
  const taken = await engine.takeItems(db, rows);
  const empty = new Set(taken.flatMap(({ left, claim_id }) => (left <= 0 ? claim_id : [])));
  if (empty.size > 0) await removeEmpty(db, engine, { ids: [...empty] });
  return taken;
}

/**
 * Returns e-mails to the queue, due at `notBefore` at the earliest, on their route or another. What a clock ahead put off so
 * is due once it is set right, as what it queued.
 */
export const releaseEmails = (
  db: Handle,
  engine: Engine,
  leases: readonly EmailLease[],
  { notBefore = Number.NEGATIVE_INFINITY, route }: { notBefore?: number; route?: string } = {},
): Promise<void> =>
  atomically(db, async (tx) => {
    const items = await takeItems(tx, engine, leases);
    await enqueue(
      tx,
      engine,
      items.map((item) => ({
        ...withoutClaim(item),
        ...(item.due_at < notBefore && { due_at: notBefore, queued_at: notBefore }),
        route: route ?? item.route,
      })),
    );
  });

const withoutClaim = ({ claim_id: _, ...row }: ItemRow): Omit<ItemRow, "claim_id"> => row;

const lockClaim = prepared((db, values: { id: number; until: number }, engine) =>
  engine.forUpdate(
    db.selectFrom("claims").selectAll().where("id", "=", values.id).where("until", "=", values.until),
  ),
);

const findFree = prepared((db, { id }: { id: number }, engine) =>
  engine.skipLocked(
    db.selectFrom("claim_items").select("email_id").where("claim_id", "=", id).orderBy("email_id"),
  ),
);

const removeLeft = prepared((db, { id }: { id: number }) =>
  db
    .deleteFrom("claims")
    .where("id", "=", id)
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom("claim_items as i").select("i.email_id").where("i.claim_id", "=", id))),
    ),
);

/** Its owner may be alive: renewed, the claim would make it send what the next worker has, too. */
const endLease = prepared((db, { id }: { id: number }) =>
  db
    .updateTable("claims")
    .set({ until: sql.ref("renewed_at") })
    .where("id", "=", id),
);

/**
 * Returns e-mails of abandoned claims to the queue, each with an interrupted attempt, unless they are untried. Those that
 * another transaction has locked, such as a host's that deletes their workspace, stay in their claim, which is never renewed
 * again. Claims without an e-mail are deleted.
 */
export const reclaimEmails = (
  db: Handle,
  engine: Engine,
  claims: readonly Pick<Claim, "id" | "until">[],
  { now, areUntried = false }: { now: number; areUntried?: boolean },
): Promise<number> =>
  atomically(db, async (tx) => {
    let count = 0;
    for (const { id, until } of [...claims].sort((a, b) => a.id - b.id)) {
      const [claim] = await lockClaim(tx, engine, { id, until });
      if (claim === undefined) continue;
      const free = await findFree(tx, engine, { id });
      const items = await takeItems(
        tx,
        engine,
        free.map(({ email_id: row }) => ({ row, claimId: id })),
      );
      await removeLeft(tx, engine, { id });
      await endLease(tx, engine, { id });
      const tried = areUntried ? [] : items;
      await insertAttempts(
        tx,
        engine,
        tried.map((item) => ({ emailId: item.email_id, attempt: interruptedAttempt(item, claim) })),
      );
      await enqueue(
        tx,
        engine,
        items.map((item) => ({
          ...withoutClaim(item),
          due_at: Math.min(item.due_at, now),
          attempts: item.attempts + (areUntried ? 0 : 1),
        })),
      );
      count += items.length;
    }
    return count;
  });
