import { readStored, readStoredList, type Webhook, type Webhooks } from "@posthorn/core/storage";
import { sql } from "kysely";
import { atomically } from "../../atomically.ts";
import type { Engine, Handle } from "../../engine.ts";
import { prepared } from "../../prepared.ts";
import type { Row } from "../../tables.ts";

type Subscription = Pick<Webhook, "events" | "filters">;

const one = (db: Handle, { workspaceId, id }: { workspaceId: number; id: string }) =>
  db.selectFrom("webhooks").selectAll().where("uuid", "=", id).where("workspace_id", "=", workspaceId);

const find = prepared(one);

const lock = prepared((db, values: Parameters<typeof one>[1], engine) => engine.forUpdate(one(db, values)));

const listActive = prepared((db, { workspaceIds }: { workspaceIds: number[] }, engine) =>
  db
    .selectFrom("webhooks")
    .selectAll()
    .where((eb) => engine.anyOf(eb.ref("workspace_id"), workspaceIds, "bigint"))
    .where("is_active", "=", true),
);

const countExhausted = prepared((db, { id }: { id: string }) =>
  db
    .updateTable("webhooks")
    .set({ exhausted_in_a_row: sql<number>`exhausted_in_a_row + 1` })
    .where("uuid", "=", id)
    .returning("exhausted_in_a_row"),
);

/** Writes only a count other than 0: deliveries mostly succeed. */
const resetExhausted = prepared((db, { id }: { id: string }) =>
  db
    .updateTable("webhooks")
    .set({ exhausted_in_a_row: 0 })
    .where("uuid", "=", id)
    .where("exhausted_in_a_row", ">", 0)
    .returning("exhausted_in_a_row"),
);

interface Noted {
  id: string;
  failures: number;
  error: string;
  pausedUntil: number | null;
  pace: number;
}

const noteFailures = prepared((db, values: Noted) =>
  db
    .updateTable("webhooks")
    .set({
      failures_in_a_row: sql<number>`failures_in_a_row + ${values.failures}`,
      last_error: values.error,
      paused_until: sql<number | null>`coalesce(${values.pausedUntil}, paused_until)`,
      pace: values.pace,
    })
    .where("uuid", "=", values.id)
    .returning("id"),
);

const noteSuccess = prepared((db, { id, pace }: { id: string; pace: number }) =>
  db
    .updateTable("webhooks")
    .set({ failures_in_a_row: 0, paused_until: null, pace })
    .where("uuid", "=", id)
    .returning("id"),
);

const endPauses = prepared((db, { now }: { now: number }) =>
  db.updateTable("webhooks").set({ paused_until: null }).where("paused_until", ">", now),
);

/** Webhooks of workspaces. */
export function createWebhooksRepository(db: Handle, engine: Engine): Webhooks {
  return {
    async insert(webhook) {
      const row = await db
        .insertInto("webhooks")
        .values({
          uuid: webhook.id,
          workspace_id: webhook.workspaceId,
          url: webhook.url,
          events: JSON.stringify(webhook.events),
          filters: JSON.stringify(webhook.filters),
          is_active: webhook.isActive,
          secret: webhook.secret,
          created_at: webhook.createdAt,
          updated_at: webhook.createdAt,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return toWebhook(row);
    },
    async find(workspaceId, id) {
      const [row] = await find(db, engine, { workspaceId, id });
      return row && toWebhook(row);
    },
    async lock(workspaceId, id) {
      const [row] = await lock(db, engine, { workspaceId, id });
      return row && toWebhook(row);
    },
    async list(workspaceId) {
      const rows = await db
        .selectFrom("webhooks")
        .selectAll()
        .where("workspace_id", "=", workspaceId)
        .orderBy("id", "desc")
        .execute();
      return rows.map(toWebhook);
    },
    listActive: async (workspaceIds) =>
      workspaceIds.length === 0 ? [] : (await listActive(db, engine, { workspaceIds })).map(toWebhook),
    async update(workspaceId, id, changes) {
      const row = await db
        .updateTable("webhooks")
        .set(changedColumns(changes))
        .where("uuid", "=", id)
        .where("workspace_id", "=", workspaceId)
        .returningAll()
        .executeTakeFirst();
      return row && toWebhook(row);
    },
    delete: (workspaceId, id) =>
      atomically(db, async (tx) => {
        // First, as a worker locks them before the webhook whose failures it counts.
        const own = tx
          .selectFrom("webhooks")
          .select("id")
          .where("uuid", "=", id)
          .where("workspace_id", "=", workspaceId);
        const deliveries = tx.selectFrom("webhook_deliveries").select("id").where("webhook_id", "=", own);
        await engine.forRemoval(deliveries.orderBy("id")).execute();
        const row = await tx.deleteFrom("webhooks").where("id", "=", own).returningAll().executeTakeFirst();
        return row && toWebhook(row);
      }),
    async countExhausted(id, exhausted) {
      const [row] = await (exhausted ? countExhausted : resetExhausted)(db, engine, { id });
      return row?.exhausted_in_a_row ?? 0;
    },
    async noteOutcome(id, { failures, error = "", pausedUntil = null, pace }) {
      if (failures === 0 && pausedUntil === null) await noteSuccess(db, engine, { id, pace });
      else await noteFailures(db, engine, { id, failures, error, pausedUntil, pace });
    },
    async endPauses(now) {
      await endPauses(db, engine, { now });
    },
  };
}

/** A key present with `undefined` clears its column. */
function changedColumns(changes: Parameters<Webhooks["update"]>[2]) {
  return {
    updated_at: changes.updatedAt,
    ...(changes.url !== undefined && { url: changes.url }),
    ...(changes.events !== undefined && { events: JSON.stringify(changes.events) }),
    ...(changes.filters !== undefined && { filters: JSON.stringify(changes.filters) }),
    ...(changes.isActive !== undefined && { is_active: changes.isActive }),
    ...(changes.secret !== undefined && { secret: changes.secret }),
    ...("formerSecret" in changes && { former_secret: changes.formerSecret ?? null }),
    ...("formerSecretUntil" in changes && { former_secret_until: changes.formerSecretUntil ?? null }),
    ...(changes.exhaustedInARow !== undefined && { exhausted_in_a_row: changes.exhaustedInARow }),
    ...(changes.failuresInARow !== undefined && { failures_in_a_row: changes.failuresInARow }),
    ...(changes.pace !== undefined && { pace: changes.pace }),
    ...("pausedUntil" in changes && { paused_until: changes.pausedUntil ?? null }),
  };
}

/** What a webhook is told. One whose filters are damaged is told nothing: it would be told too much without them. */
export function readSubscription(row: Pick<Row<"webhooks">, "events" | "filters">): Subscription {
  const filters = readStored(row.filters);
  return Array.isArray(filters)
    ? { events: readStoredList(row.events), filters }
    : { events: [], filters: [] };
}

/** Converts a row of `webhooks` for the port. */
export function toWebhook(row: Row<"webhooks">): Webhook {
  return {
    id: row.uuid,
    workspaceId: row.workspace_id,
    url: row.url,
    ...readSubscription(row),
    isActive: Boolean(row.is_active),
    secret: row.secret,
    formerSecret: row.former_secret ?? undefined,
    formerSecretUntil: row.former_secret_until ?? undefined,
    exhaustedInARow: row.exhausted_in_a_row,
    failuresInARow: row.failures_in_a_row,
    pace: row.pace,
    pausedUntil: row.paused_until ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
