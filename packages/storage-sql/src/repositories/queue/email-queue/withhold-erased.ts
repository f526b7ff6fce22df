import { sql } from "kysely";
import type { ClaimedRow, Engine, Handle } from "../../../engine.ts";
import { prepared } from "../../../prepared.ts";
import { releaseEmails } from "./give-back.ts";

/** Ms until e-mails to somebody who is being erased are claimed again: usually the person is withdrawn from them by then. */
const againMs = 5_000;

const findErased = prepared((db, { ids }: { ids: number[] }, engine) =>
  db
    .selectFrom("erasures as e")
    .innerJoin("email_recipients as r", (on) =>
      on.onRef("r.workspace_id", "=", "e.workspace_id").onRef("r.address_key", "=", "e.address_key"),
    )
    .select("r.email_id")
    .where((eb) => engine.anyOf(eb.ref("r.email_id"), ids, "bigint"))
    .where("r.settled_at", "is", null)
    .where("e.stage", "=", sql.lit("emails")),
);

/**
 * Returns to the queue those of the claimed e-mails that have an open recipient whose erasure still looks for e-mails, and
 * returns the others: once an erasure is requested, no waiting mail goes to the person, however long it takes.
 */
export async function withholdErased(
  db: Handle,
  engine: Engine,
  claimed: ClaimedRow[],
  now: number,
): Promise<ClaimedRow[]> {
  if (!claimed.some(({ mayBeErased }) => mayBeErased)) return claimed;
  const found = await findErased(db, engine, { ids: claimed.map(({ item }) => item.email_id) });
  if (found.length === 0) return claimed;
  const erased = new Set(found.map(({ email_id }) => email_id));
  const leases = claimed.flatMap(({ claimId, item: { email_id: row } }) =>
    erased.has(row) ? { claimId, row } : [],
  );
  await releaseEmails(db, engine, leases, { notBefore: now + againMs });
  return claimed.filter(({ item }) => !erased.has(item.email_id));
}
