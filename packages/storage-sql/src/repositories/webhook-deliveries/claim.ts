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

/** The first `perWebhook` due deliveries of each webhook: all up to the one that stands at that place, which one look-up finds. */
const findCandidates = prepared(
  (db, values: { webhookIds: number[]; place: number; now: number }, engine) => {
    const deliveries = engine.table("webhook_deliveries");
    const last = (column: "due_at" | "id") => sql`(
      select d.${sql.ref(column)} from ${deliveries} as d
      where d.status = 'pending' and d.webhook_id = w.id and d.due_at <= ${values.now}
      order by d.due_at, d.id limit 1 offset ${values.place}
    )`;
    const query = sql<{ id: number; webhook_id: number }>`
      select d.id, d.webhook_id from (
        select w.id, ${last("due_at")} as last_due_at, ${last("id")} as last_id
        from ${engine.table("webhooks")} as w where ${engine.anyOf(sql.ref("w.id"), values.webhookIds)}
      ) as w join ${deliveries} as d on d.webhook_id = w.id
      where d.status = 'pending' and d.due_at <= ${values.now}
        and (w.last_id is null or (d.due_at, d.id) <= (w.last_due_at, w.last_id))
      order by d.due_at, d.id
    `;
    return compilable(db, query);
  },
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
  const candidates = await findCandidates(db, engine, { webhookIds, place: perWebhook - 1, now });
  const left = new Map(webhooks.map(({ id, uuid }) => [id, perWebhook - (busy.get(uuid) ?? 0)]));
  const ids: number[] = [];
  for (const { id, webhook_id } of candidates) {
    const places = left.get(webhook_id) ?? 0;
    if (places <= 0 || ids.length >= limit) continue;
    left.set(webhook_id, places - 1);
    ids.push(id);
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
