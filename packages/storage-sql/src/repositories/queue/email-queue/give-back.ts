import type { Claim, EmailLease } from "@posthorn/core/storage";
import { sql } from "kysely";
import { atomically } from "../../../atomically.ts";
import { bulkInsert } from "../../../bulk-insert.ts";
import type { Engine, Handle } from "../../../engine.ts";
import { prepared } from "../../../prepared.ts";
import { columnsOf, type Row } from "../../../tables.ts";
import { insertAttempts, interruptedAttempt } from "./attempts.ts";

const leaseTypes = columnsOf("claim_items", ["email_id", "claim_id"]);

/** An e-mail's row in `claim_items`. */
export type ItemRow = Row<"claim_items">;

/** Inserts e-mails into the queue, new ones or ones given back. */
export const enqueue = bulkInsert("email_queue");

const removeItems = prepared(
  (_, { rows }: { rows: Record<keyof typeof leaseTypes, number>[] }, engine) => sql<ItemRow>`
    delete from ${engine.table("claim_items")}
    where (email_id, claim_id) in (select email_id, claim_id from ${engine.valuesToFind("v", leaseTypes, rows)})
    returning email_id, claim_id, route, lane, due_at, queued_at, attempts, bytes
  `,
);

/** Takes e-mails from the claims that still hold them. */
export async function takeItems(
  db: Handle,
  engine: Engine,
  leases: readonly EmailLease[],
): Promise<ItemRow[]> {
  const rows = leases
    .map(({ row, claimId }) => ({ email_id: row, claim_id: claimId }))
    .sort((a, b) => a.email_id - b.email_id);
  const taken = await removeItems(db, engine, { rows });
  await countOff(db, engine, taken);
  return taken;
}

const countTypes = { claim: "bigint", gone: "bigint" } as const;

const removeEmpty = prepared((db, { ids }: { ids: number[] }, engine) =>
  db
    .deleteFrom("claims")
    .where((eb) => engine.anyOf(eb.ref("id"), ids, "bigint"))
    .where("items", "<=", 0),
);

const lowerCounts = prepared(
  (_, { rows }: { rows: Record<keyof typeof countTypes, number>[] }, engine) => sql<{
    id: number;
    items: number;
  }>`
    update ${engine.table("claims")} as c set items = c.items - v.gone
    from ${engine.valuesToFind("v", countTypes, rows)} where c.id = v.claim
    returning id, items
  `,
);

/** A claim is deleted with its last e-mail. */
async function countOff(db: Handle, engine: Engine, items: readonly ItemRow[]): Promise<void> {
  if (items.length === 0) return;
  const counts = new Map<number, number>();
  for (const { claim_id } of items) counts.set(claim_id, (counts.get(claim_id) ?? 0) + 1);
  const rows = [...counts].sort(([a], [b]) => a - b).map(([claim, gone]) => ({ claim, gone }));
  const left = await lowerCounts(db, engine, { rows });
  const empty = left.filter(({ items: count }) => count <= 0).map(({ id }) => id);
  if (empty.length > 0) await removeEmpty(db, engine, { ids: empty });
}

/** Returns e-mails to the queue unchanged. */
export const releaseEmails = (db: Handle, engine: Engine, leases: readonly EmailLease[]): Promise<void> =>
  atomically(db, async (tx) => {
    const items = await takeItems(tx, engine, leases);
    await enqueue(tx, engine, items.map(withoutClaim));
  });

const withoutClaim = ({ claim_id: _, ...row }: ItemRow): Omit<ItemRow, "claim_id"> => row;

const takeClaim = prepared((db, values: { id: number; until: number }) =>
  db.deleteFrom("claims").where("id", "=", values.id).where("until", "=", values.until).returningAll(),
);

const takeItemsOf = prepared((db, { id }: { id: number }) =>
  db.deleteFrom("claim_items").where("claim_id", "=", id).returningAll(),
);

/** Returns e-mails of abandoned claims to the queue, each with an interrupted attempt. */
export const reclaimEmails = (
  db: Handle,
  engine: Engine,
  claims: readonly Pick<Claim, "id" | "until">[],
  now: number,
): Promise<number> =>
  atomically(db, async (tx) => {
    let count = 0;
    for (const { id, until } of [...claims].sort((a, b) => a.id - b.id)) {
      const [claim] = await takeClaim(tx, engine, { id, until });
      if (claim === undefined) continue;
      const items = await takeItemsOf(tx, engine, { id });
      await insertAttempts(
        tx,
        engine,
        items.map((item) => ({ emailId: item.email_id, attempt: interruptedAttempt(item, claim) })),
      );
      await enqueue(
        tx,
        engine,
        items.map((item) => ({
          ...withoutClaim(item),
          due_at: Math.min(item.due_at, now),
          attempts: item.attempts + 1,
        })),
      );
      count += items.length;
    }
    return count;
  });
