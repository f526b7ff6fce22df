import type { ClaimedDelivery, WebhookDeliveries } from "@posthorn/core/storage";
import { sql } from "kysely";
import { atomically } from "../../../atomically.ts";
import type { Engine, Handle } from "../../../engine.ts";
import { prepared } from "../../../prepared.ts";
import { toWebhook } from "../webhooks.ts";
import { toDelivery } from "./to-delivery.ts";

type Claim = Parameters<WebhookDeliveries["claim"]>[0];

/** Maximum number of deliveries per webhook that one claim takes. */
const maxOfOne = 16;

const placeTypes = { webhook: "bigint", place: "bigint", since: "bigint" } as const;

/**
 * A webhook's delivery number `place` in due order: one short range of the backlog index. It begins where the last look
 * found the first: what was delivered before leaves entries that PostgreSQL can't remove while an older transaction is
 * open, such as that of a dump, and each place would walk over all of them.
 */
const candidateAt = (engine: Engine, place: number) => sql`
  (select c.id from ${engine.table("webhook_deliveries")} as c
    where c.status = 'pending' and c.webhook_id = v.webhook and c.due_at >= v.since
    order by c.due_at, c.id limit 1 offset ${sql.lit(place)})`;

/**
 * The longest waiting deliveries of each webhook in one statement: a round trip for each would add up. Whether they are due is
 * asked as they are leased.
 */
async function findCandidates(db: Handle, engine: Engine, { wants }: Claim): Promise<number[]> {
  const places = wants.flatMap(({ row, limit, since = Number.MIN_SAFE_INTEGER }) =>
    Array.from({ length: Math.min(limit, maxOfOne) }, (_, place) => ({ webhook: row, place, since })),
  );
  if (places.length === 0) return [];
  const cases = Array.from(
    { length: maxOfOne },
    (_, place) => sql`when ${sql.lit(place)} then ${candidateAt(engine, place)}`,
  );
  const { rows } = await sql<{ id: number | null }>`
    select case v.place ${sql.join(cases, sql` `)} end as id
    from ${engine.valuesTable("v", placeTypes, places)}
  `.execute(db);
  return rows.flatMap(({ id }) => (id === null ? [] : [id]));
}

interface Lease {
  ids: number[];
  inHand: string[];
  now: number;
  until: number;
  /** Leases that end by then count as expired. */
  expired: number;
}

const lease = prepared((db, values: Lease, engine) =>
  db
    .updateTable("webhook_deliveries")
    .set({
      due_at: values.until,
      queued_at: values.now,
      lease_until: values.until,
      fence: sql<number>`fence + 1`,
      attempts: sql<number>`attempts + 1`,
    })
    .where("id", "in", (eb) =>
      engine.skipLocked(
        eb
          .selectFrom("webhook_deliveries")
          .select("id")
          .where((inner) => engine.anyOf(inner.ref("id"), values.ids))
          .where("status", "=", sql.lit("pending"))
          .where("due_at", "<=", values.now)
          .where((inner) =>
            inner.or([inner("lease_until", "is", null), inner("lease_until", "<=", values.expired)]),
          )
          .where((inner) => inner.not(engine.anyOf(inner.ref("uuid"), values.inHand))),
      ),
    )
    .returningAll(),
);

const findWebhooks = prepared((db, { webhookIds }: { webhookIds: number[] }, engine) =>
  db
    .selectFrom("webhooks as w")
    .leftJoin("settings as s", "s.workspace_id", "w.workspace_id")
    .selectAll("w")
    .select("s.webhook_retry_count")
    .where((eb) => engine.anyOf(eb.ref("w.id"), webhookIds)),
);

/** Leases due deliveries of the wanted webhooks to this worker. */
export async function claimDeliveries(db: Handle, engine: Engine, claim: Claim): Promise<ClaimedDelivery[]> {
  const ids = await findCandidates(db, engine, claim);
  if (ids.length === 0) return [];
  const { now, leaseMs, inHand = [], leavesExpired = false } = claim;
  const leased = { ids, inHand: [...inHand], now, until: now + leaseMs, expired: leavesExpired ? -1 : now };
  return atomically(db, async (tx) => {
    const rows = await lease(tx, engine, leased);
    const webhookIds = [...new Set(rows.map((row) => row.webhook_id))];
    const found = await findWebhooks(tx, engine, { webhookIds });
    const byId = new Map(found.map((row) => [row.id, row]));
    return rows
      .sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
      .flatMap((row) => {
        const webhook = byId.get(row.webhook_id);
        if (webhook === undefined) return [];
        return {
          delivery: toDelivery(row, webhook.uuid),
          webhook: toWebhook(webhook),
          retryCount: webhook.webhook_retry_count ?? 0,
          fence: row.fence,
        };
      });
  });
}
