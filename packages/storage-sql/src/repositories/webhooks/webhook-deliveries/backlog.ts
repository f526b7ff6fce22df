import { type Compilable, type RawBuilder, sql } from "kysely";
import { forOperator, longRead } from "../../../deferred.ts";
import type { Engine, Handle } from "../../../engine.ts";
import { never } from "../../../never.ts";
import { prepared } from "../../../prepared.ts";

const compilable = <R>(db: Handle, query: RawBuilder<R>): Compilable<R> => ({
  compile: () => query.compile(db),
});

/** Where a look at a webhook's backlog begins. */
type FloorRow = Readonly<Record<keyof typeof floorTypes, number>>;

const floorTypes = { webhook: "bigint", since: "bigint" } as const;

interface Look {
  now: number;
  most: number;
  limit: number;
  skip: number;
  floors: readonly FloorRow[];
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
 * entered once, as its entries may begin with many of deliveries that are done with (`candidateAt`); that of a webhook with a
 * floor behind those.
 */
const backlog = (engine: Engine, floors: readonly FloorRow[]) => {
  const deliveries = engine.table("webhook_deliveries");
  const ofFirst = (column: "webhook_id" | "due_at") =>
    sql`(select o.${sql.ref(column)} from ${deliveries} as o where o.id = firsts.id)`;
  const firstBehind = (webhook: RawBuilder<unknown>) => sql`(
        select d.id from ${deliveries} as d
        where d.status = 'pending' and d.webhook_id > ${webhook} and d.webhook_id < firsts.upto
        order by d.webhook_id, d.due_at, d.id limit 1
      )`;
  const end = sql.raw(never);
  return sql`
    with recursive floors (webhook, since) as (
      select webhook, since from ${engine.valuesTable("given", floorTypes, floors)} limit (select ${end})
    ), edges (webhook) as (
      select 0 union all select webhook from floors
    ), firsts (id, upto) as (
      select ${firstBehind(sql`firsts.webhook`)}, firsts.upto from (
        select webhook, lead(webhook, 1, ${end}) over (order by webhook) as upto from edges
      ) as firsts
      union all
      select (
        select d.id from ${deliveries} as d
        where d.status = 'pending' and d.webhook_id = floors.webhook and d.due_at >= floors.since
        order by d.due_at, d.id limit 1
      ), 0 from floors
      union all
      select ${firstBehind(ofFirst("webhook_id"))}, firsts.upto from firsts where firsts.id is not null
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
export const findDueEndpoints = prepared((db, { now, most, limit, skip, floors }: Look, engine) =>
  compilable(
    db,
    sql<EndpointRow>`${backlog(engine, floors)}, ranked as (
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
      sql<{ pending: number; oldestDueAt: number | null }>`${backlog(engine, [])}
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
      sql<BacklogRow>`${backlog(engine, [])}, longest as (
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
export const findNextDue = prepared((db, { floors }: { floors: readonly FloorRow[] }, engine) =>
  compilable(
    db,
    sql<{ due_at: number | null }>`${backlog(engine, floors)}
      select min(case when w.paused_until > backlog.due_at then w.paused_until else backlog.due_at end) as due_at
      from backlog join ${engine.table("webhooks")} as w on w.id = backlog.webhook_id`,
  ),
);

/** The first delivery of each webhook's backlog, due or not. */
export const findFirsts = prepared((db, { floors }: { floors: readonly FloorRow[] }, engine) =>
  compilable(
    db,
    sql<{ row: number; dueAt: number }>`${backlog(engine, floors)}
      select webhook_id as "row", due_at as "dueAt" from backlog`,
  ),
);
