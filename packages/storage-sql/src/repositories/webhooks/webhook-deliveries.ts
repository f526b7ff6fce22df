import type { BacklogFloor, DeliveryResult, WebhookDeliveries } from "@posthorn/core/storage";
import { sql } from "kysely";
import { bulkInsert } from "../../bulk-insert.ts";
import type { Engine, Handle } from "../../engine.ts";
import { countOf, listById } from "../../list-range.ts";
import { prepared } from "../../prepared.ts";
import { columnsOf } from "../../tables.ts";
import { stillBefore } from "../still-before.ts";
import {
  findBacklog,
  findDueEndpoints,
  findFirsts,
  findNextDue,
  findStatus,
} from "./webhook-deliveries/backlog.ts";
import { claimDeliveries } from "./webhook-deliveries/claim.ts";
import { endWaiting, restoreDue } from "./webhook-deliveries/maintain.ts";
import { removeSome } from "./webhook-deliveries/remove-some.ts";
import { toDelivery } from "./webhook-deliveries/to-delivery.ts";

/** Columns that are set once, or at the end of a delivery; until then they have their schema default. */
const insert = bulkInsert("webhook_deliveries", [
  "id",
  "attempts",
  "response_status",
  "response_body",
  "duration_ms",
  "error",
  "lease_until",
  "fence",
  "settled_at",
  "erased_fence",
]);

/** Named differently from the columns: in some engines the returned names would be ambiguous. */
const leaseTypes = { delivery: "text", held: "bigint" } as const;

const resultTypes = {
  ...leaseTypes,
  ...columnsOf("webhook_deliveries", [
    "status",
    "response_status",
    "response_body",
    "duration_ms",
    "error",
    "due_at",
    "queued_at",
    "settled_at",
  ]),
};

/** Until the transaction ends, none of them is deleted: its deliveries, which refer to it, would then make it fail. */
const findWebhookIds = prepared((db, { uuids }: { uuids: string[] }, engine) =>
  engine.forReference(
    db
      .selectFrom("webhooks")
      .select(["id", "uuid"])
      .where((eb) => engine.anyOf(eb.ref("uuid"), uuids)),
  ),
);

const redeliver = prepared(
  (db, values: { workspaceId: number; webhookId: string; id: string; now: number }) =>
    db
      .updateTable("webhook_deliveries")
      .set({ status: "pending", attempts: 0, due_at: values.now, queued_at: values.now, settled_at: null })
      .where("uuid", "=", values.id)
      .where("workspace_id", "=", values.workspaceId)
      .where("webhook_id", "=", (eb) =>
        eb.selectFrom("webhooks").select("id").where("uuid", "=", values.webhookId),
      )
      .where((eb) =>
        eb.or([
          eb("status", "<>", "pending"),
          eb.and([eb("lease_until", "is", null), eb("due_at", ">", values.now)]),
        ]),
      )
      .returning("uuid"),
);

const deleteBefore = prepared((db, values: { before: number; limit: number }) =>
  db
    .deleteFrom("webhook_deliveries")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("webhook_deliveries")
        .select("id")
        .where("settled_at", "<", values.before)
        .orderBy("settled_at")
        .limit(values.limit),
    )
    .where(stillBefore("settled_at", values.before))
    .returning("id"),
);

const findAbout = prepared((db, values: { workspaceId: number; emailId: string; limit: number }) =>
  db
    .selectFrom("webhook_deliveries as d")
    .innerJoin("webhooks as w", "w.id", "d.webhook_id")
    .selectAll("d")
    .select(["w.uuid as webhook_uuid", "w.url", "w.paused_until"])
    .where("d.email_id", "=", values.emailId)
    .where("d.workspace_id", "=", values.workspaceId)
    .orderBy("d.id")
    .limit(values.limit),
);

/** Webhook deliveries: log and queue in one table. */
export function createWebhookDeliveriesRepository(db: Handle, engine: Engine): WebhookDeliveries {
  // Not joined: PostgreSQL would read all webhooks' deliveries, newest first, until it has found a page of one that has few.
  const ofWebhook = (workspaceId: number, webhookId: string) =>
    db
      .selectFrom("webhook_deliveries as d")
      .where("d.webhook_id", "=", (of) =>
        of
          .selectFrom("webhooks as w")
          .select("w.id")
          .where("w.uuid", "=", webhookId)
          .where("w.workspace_id", "=", workspaceId),
      );
  return {
    async insert(deliveries) {
      if (deliveries.length === 0) return;
      const uuids = [...new Set(deliveries.map(({ webhookId }) => webhookId))];
      const webhooks = await findWebhookIds(db, engine, { uuids });
      const idOf = new Map(webhooks.map(({ id, uuid }) => [uuid, id]));
      // Nothing is delivered to a webhook that was deleted meanwhile.
      const rows = deliveries.flatMap((delivery) => {
        const webhookId = idOf.get(delivery.webhookId);
        return webhookId === undefined ? [] : [toRow(delivery, webhookId)];
      });
      await insert(db, engine, rows);
    },
    async find(workspaceId, webhookId, id) {
      let query = db
        .selectFrom("webhook_deliveries as d")
        .innerJoin("webhooks as w", "w.id", "d.webhook_id")
        .selectAll("d")
        .select("w.uuid as webhook_uuid")
        .where("d.uuid", "=", id)
        .where("d.workspace_id", "=", workspaceId);
      if (webhookId !== undefined) query = query.where("w.uuid", "=", webhookId);
      const row = await query.executeTakeFirst();
      return row && toDelivery(row, row.webhook_uuid);
    },
    async list(workspaceId, webhookId, slice) {
      const matching = ofWebhook(workspaceId, webhookId);
      return listById(matching.selectAll("d"), slice, {
        column: "d.id",
        toItem: (row) => toDelivery(row, webhookId),
        count: () => countOf(matching, { holder: workspaceId }),
        holder: workspaceId,
      });
    },
    async listAbout(workspaceId, emailId, limit) {
      const rows = await findAbout(db, engine, { workspaceId, emailId, limit });
      return rows.map(({ url, webhook_uuid, paused_until, ...row }) => ({
        ...toDelivery(row, webhook_uuid),
        url,
        pausedUntil: paused_until ?? undefined,
      }));
    },
    async look(look) {
      const rows = await findDueEndpoints(db, engine, { skip: 0, ...look, floors: floorRows(look.floors) });
      return rows.map(({ failures, isActive, ...row }) => ({
        ...row,
        due: Number(row.due),
        isActive: Boolean(isActive),
        isFailing: failures > 0,
      }));
    },
    claim: (claim) => claimDeliveries(db, engine, claim),
    settle: (results, now) => settle(db, engine, results, now),
    release: (leases, now, dueAt = now) => release(db, engine, leases, { now, dueAt }),
    redeliver: async (workspaceId, webhookId, id, now) =>
      (await redeliver(db, engine, { workspaceId, webhookId, id, now })).length > 0,
    firsts: (floors) => findFirsts(db, engine, { floors: floorRows(floors) }),
    async nextDueAt(floors) {
      const [row] = await findNextDue(db, engine, { floors: floorRows(floors) });
      return row?.due_at ?? undefined;
    },
    async status(now) {
      const [row] = await findStatus(db, engine, { now });
      return { pending: Number(row?.pending ?? 0), oldestDueAt: row?.oldestDueAt ?? undefined };
    },
    async backlog(now, limit) {
      const rows = await findBacklog(db, engine, { now, limit });
      return rows.map(({ isActive, pausedUntil, dueAt, due, pending, ...row }) => ({
        ...row,
        isActive: Boolean(isActive),
        pausedUntil: pausedUntil ?? undefined,
        due: Number(due),
        waiting: Number(pending) - Number(due),
        oldestDueAt: dueAt <= now ? dueAt : undefined,
      }));
    },
    endWaiting: (ending) => endWaiting(db, engine, ending),
    restoreDue: (now) => restoreDue(db, engine, now),
    deleteBefore: async (before, limit) => (await deleteBefore(db, engine, { before, limit })).length,
    removeSome: (workspaceId, webhookId, limit, after) =>
      removeSome(db, engine, { workspaceId, webhookId, limit, after }),
  };
}

const floorRows = (floors: readonly BacklogFloor[] = []) =>
  floors.map(({ row: webhook, since }) => ({ webhook, since }));

async function release(
  db: Handle,
  engine: Engine,
  leases: Parameters<WebhookDeliveries["release"]>[0],
  { now, dueAt }: { now: number; dueAt: number },
): Promise<void> {
  if (leases.length === 0) return;
  const rows = leases.map(({ id, fence }) => ({ delivery: id, held: fence }));
  await sql`
    update ${engine.table("webhook_deliveries")} as d
    set due_at = ${dueAt}, queued_at = ${now}, lease_until = null, attempts = d.attempts - 1
    from ${engine.valuesToFind("v", leaseTypes, rows)}
    where d.uuid = v.delivery and d.fence = v.held and d.status = 'pending' and d.lease_until is not null
  `.execute(db);
}

async function settle(
  db: Handle,
  engine: Engine,
  results: DeliveryResult[],
  now: number,
): Promise<DeliveryResult[]> {
  if (results.length === 0) return [];
  const { rows } = await sql<{ uuid: string; fence: number }>`
    update ${engine.table("webhook_deliveries")} as d
    set status = v.status, response_status = v.response_status,
      response_body = case when d.erased_fence = v.held then '' else v.response_body end,
      duration_ms = v.duration_ms, error = v.error, due_at = v.due_at, queued_at = v.queued_at,
      settled_at = v.settled_at, lease_until = null
    from ${engine.valuesToFind(
      "v",
      resultTypes,
      results.map((result) => toResultRow(result, now)),
    )}
    where d.uuid = v.delivery and d.fence = v.held and d.status = 'pending' and d.lease_until is not null
    returning uuid, fence
  `.execute(db);
  const fences = new Map(rows.map(({ uuid, fence }) => [uuid, fence]));
  return results.filter(({ id, fence }) => fences.get(id) === fence);
}

function toResultRow({ id, fence, next, ...result }: DeliveryResult, now: number) {
  return {
    delivery: id,
    held: fence,
    status: "retryAt" in next ? "pending" : next.status,
    response_status: result.responseStatus ?? null,
    response_body: result.responseBody,
    duration_ms: result.durationMs,
    error: result.error,
    due_at: "retryAt" in next ? next.retryAt : null,
    queued_at: now,
    settled_at: "retryAt" in next ? null : next.settledAt,
  };
}

function toRow(delivery: Parameters<WebhookDeliveries["insert"]>[0][number], webhookId: number) {
  return {
    uuid: delivery.id,
    webhook_id: webhookId,
    workspace_id: delivery.workspaceId,
    event: delivery.event,
    payload: delivery.payload,
    status: "pending",
    due_at: delivery.dueAt,
    queued_at: delivery.dueAt,
    created_at: delivery.createdAt,
    email_id: delivery.emailId ?? null,
  };
}
