import type { ClaimedDelivery, WebhookDeliveries } from "@posthorn/core/storage";
import { type Compilable, type RawBuilder, sql } from "kysely";
import { atomically } from "../../atomically.ts";
import type { Engine, Handle } from "../../engine.ts";
import { prepared } from "../../prepared.ts";
import { toWebhook } from "../webhooks.ts";
import { toDelivery } from "./to-delivery.ts";

const compilable = <R>(db: Handle, query: RawBuilder<R>): Compilable<R> => ({
  compile: () => query.compile(db),
});

type Claim = Parameters<WebhookDeliveries["claimDue"]>[0];

/**
 * The webhooks with something due, the longest waiting first. Steps from one webhook's part of the backlog index to the next,
 * so that it costs as much as there are webhooks, however long the backlog of one is.
 */
const findDueWebhooks = prepared((db, values: { now: number; full: string[]; limit: number }, engine) => {
  const deliveries = engine.table("webhook_deliveries");
  const query = sql<{ id: number; uuid: string }>`
      with recursive pending (webhook_id) as (
        select min(webhook_id) from ${deliveries} where status = 'pending'
        union all
        select (
          select min(d.webhook_id) from ${deliveries} as d
          where d.status = 'pending' and d.webhook_id > pending.webhook_id
        ) from pending where pending.webhook_id is not null
      ), waiting (webhook_id, due_at) as (
        select webhook_id, (
          select min(d.due_at) from ${deliveries} as d
          where d.status = 'pending' and d.webhook_id = pending.webhook_id
        ) from pending where webhook_id is not null
      )
      select w.id, w.uuid from waiting join ${engine.table("webhooks")} as w on w.id = waiting.webhook_id
      where waiting.due_at <= ${values.now} and not (${engine.anyOf(sql.ref("w.uuid"), values.full)})
      order by waiting.due_at, w.id limit ${values.limit}
    `;
  return compilable(db, query);
});

/** A webhook's longest due deliveries: one short range of the backlog index. */
const findCandidates = prepared((db, values: { webhookId: number; places: number; now: number }) =>
  db
    .selectFrom("webhook_deliveries")
    .select("id")
    // A literal: only so do the engines see that the partial index fits.
    .where("status", "=", sql.lit("pending"))
    .where("webhook_id", "=", values.webhookId)
    .where("due_at", "<=", values.now)
    .orderBy("due_at")
    .orderBy("id")
    .limit(values.places),
);

const lease = prepared((db, values: { ids: number[]; now: number; until: number }, engine) =>
  db
    .updateTable("webhook_deliveries")
    .set({
      due_at: values.until,
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
          .where("status", "=", "pending")
          .where("due_at", "<=", values.now),
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

/** Leases due deliveries to this worker, at most `perWebhook` of one webhook. */
export async function claimDueDeliveries(
  db: Handle,
  engine: Engine,
  claim: Claim,
): Promise<ClaimedDelivery[]> {
  const busy = new Map<string, number>();
  for (const id of claim.busy) busy.set(id, (busy.get(id) ?? 0) + 1);
  const full = [...busy].flatMap(([id, count]) => (count >= claim.perWebhook ? [id] : []));
  const { now, limit, perWebhook } = claim;
  if (limit <= 0 || perWebhook <= 0) return [];
  const webhooks = await findDueWebhooks(db, engine, { now, full, limit });
  if (webhooks.length === 0) return [];
  const webhookIds = webhooks.map(({ id }) => id);
  const ids: number[] = [];
  for (const { id, uuid } of webhooks) {
    const places = Math.min(perWebhook - (busy.get(uuid) ?? 0), limit - ids.length);
    if (places <= 0) break;
    const candidates = await findCandidates(db, engine, { webhookId: id, places, now });
    ids.push(...candidates.map((candidate) => candidate.id));
  }
  return atomically(db, async (tx) => {
    const rows = await lease(tx, engine, { ids, now, until: now + claim.leaseMs });
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
