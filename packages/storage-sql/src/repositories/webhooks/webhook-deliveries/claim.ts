import type { ClaimedDelivery, WebhookDeliveries } from "@posthorn/core/storage";
import { type Compilable, type RawBuilder, sql } from "kysely";
import { atomically } from "../../../atomically.ts";
import { forOperator, longRead } from "../../../deferred.ts";
import type { Engine, Handle } from "../../../engine.ts";
import { prepared } from "../../../prepared.ts";
import { toWebhook } from "../webhooks.ts";
import { toDelivery } from "./to-delivery.ts";

const compilable = <R>(db: Handle, query: RawBuilder<R>): Compilable<R> => ({
  compile: () => query.compile(db),
});

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

interface Look {
  now: number;
  most: number;
  limit: number;
  skip: number;
}

interface EndpointRow {
  row: number;
  webhookId: string;
  workspaceId: number;
  isActive: boolean | number;
  failures: number;
  pace: number;
  dueAt: number;
  due: number;
}

/**
 * Every webhook with a backlog, as `backlog (webhook_id, due_at)`. It skips from the first delivery of one webhook's part of
 * the index to that of the next, so the cost depends on the number of webhooks, not on the length of a backlog. Each part is
 * entered once, as its entries may begin with many of deliveries that are done with (`candidateAt`).
 */
const backlog = (engine: Engine) => {
  const deliveries = engine.table("webhook_deliveries");
  const ofFirst = (column: "webhook_id" | "due_at") =>
    sql`(select o.${sql.ref(column)} from ${deliveries} as o where o.id = firsts.id)`;
  return sql`
    with recursive firsts (id) as (
      select (
        select d.id from ${deliveries} as d where d.status = 'pending'
        order by d.webhook_id, d.due_at, d.id limit 1
      )
      union all
      select (
        select d.id from ${deliveries} as d where d.status = 'pending' and d.webhook_id > ${ofFirst("webhook_id")}
        order by d.webhook_id, d.due_at, d.id limit 1
      ) from firsts where firsts.id is not null
    ), backlog (webhook_id, due_at) as (
      select ${ofFirst("webhook_id")}, ${ofFirst("due_at")} from firsts where firsts.id is not null
    )`;
};

const kind = sql`partition by w.is_active, w.pace, case when w.failures_in_a_row > 0 then 1 else 0 end`;

/**
 * The longest waiting endpoints of each pace, apart those whose last attempt failed, and those switched off: however
 * many there are of one kind, those of the others are found. Of a kind with more than `limit`, those from `skip` on, as
 * if the first came again behind the last.
 */
export const findDueEndpoints = prepared((db, { now, most, limit, skip }: Look, engine) =>
  compilable(
    db,
    sql<EndpointRow>`${backlog(engine)}, ranked as (
        select w.id, w.uuid, w.workspace_id, w.is_active, w.failures_in_a_row, w.pace, backlog.due_at,
          row_number() over (${kind} order by backlog.due_at, w.id) - 1 as place, count(*) over (${kind}) as size
        from backlog join ${engine.table("webhooks")} as w on w.id = backlog.webhook_id
        where not w.is_active or (backlog.due_at <= ${now} and (w.paused_until is null or w.paused_until <= ${now}))
      )
      select e.id as "row", e.uuid as "webhookId", e.workspace_id as "workspaceId", e.is_active as "isActive",
        e.failures_in_a_row as "failures", e.pace, e.due_at as "dueAt", (
          select count(*) from (
            select 1 as one from ${engine.table("webhook_deliveries")} as d
            where d.status = 'pending' and d.webhook_id = e.id and d.due_at >= e.due_at and d.due_at <= ${now}
            order by d.due_at, d.id limit ${engine.unseen(most)}
          ) as counted
        ) as "due"
      from ranked as e
      where (e.place + e.size - ${skip} % e.size) % e.size < ${engine.unseen(limit)}
      order by e.due_at, e.id`,
  ),
);

/** The number of deliveries that wait, and since when one is due to an endpoint that works and is not slow. */
export const findStatus = prepared(
  (db, { now }: { now: number }, engine) =>
    compilable(
      db,
      sql<{ pending: number; oldestDueAt: number | null }>`${backlog(engine)}
      select (
          select count(*) from ${engine.table("webhook_deliveries")} as d where d.status = 'pending'
        ) as pending, min(backlog.due_at) as "oldestDueAt"
      from backlog join ${engine.table("webhooks")} as w on w.id = backlog.webhook_id
      where w.is_active and w.failures_in_a_row = 0 and w.pace < 2 and backlog.due_at <= ${now}`,
    ),
  longRead(forOperator),
);

interface BacklogRow {
  webhookId: string;
  workspaceId: number;
  url: string;
  isActive: boolean | number;
  failuresInARow: number;
  pace: number;
  pausedUntil: number | null;
  lastError: string;
  dueAt: number;
  due: number;
  pending: number;
}

/** The webhooks with a backlog, the longest due first, and how their endpoints do. */
export const findBacklog = prepared(
  (db, { now, limit }: { now: number; limit: number }, engine) =>
    compilable(
      db,
      sql<BacklogRow>`${backlog(engine)}, longest as (
        select webhook_id, due_at from backlog order by due_at, webhook_id limit ${limit}
      )
      select w.uuid as "webhookId", w.workspace_id as "workspaceId", w.url, w.is_active as "isActive",
        w.failures_in_a_row as "failuresInARow", w.pace, w.paused_until as "pausedUntil", w.last_error as "lastError",
        longest.due_at as "dueAt", (
          select count(*) from ${engine.table("webhook_deliveries")} as d
          where d.status = 'pending' and d.webhook_id = w.id and d.due_at <= ${now}
        ) as "due", (
          select count(*) from ${engine.table("webhook_deliveries")} as d
          where d.status = 'pending' and d.webhook_id = w.id
        ) as "pending"
      from longest join ${engine.table("webhooks")} as w on w.id = longest.webhook_id
      order by longest.due_at, w.id`,
    ),
  longRead(forOperator),
);

/** When the next delivery is due whose endpoint is not paused beyond that. */
export const findNextDue = prepared((db, _: Record<string, never>, engine) =>
  compilable(
    db,
    sql<{ due_at: number | null }>`${backlog(engine)}
      select min(case when w.paused_until > backlog.due_at then w.paused_until else backlog.due_at end) as due_at
      from backlog join ${engine.table("webhooks")} as w on w.id = backlog.webhook_id`,
  ),
);
