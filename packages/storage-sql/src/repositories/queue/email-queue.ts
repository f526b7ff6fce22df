import type { EmailQueue } from "@posthorn/core/storage";
import { type SqlBool, sql } from "kysely";
import { forOperator, longRead } from "../../deferred.ts";
import type { Engine, Handle } from "../../engine.ts";
import { prepared } from "../../prepared.ts";
import { queueToleranceMs } from "../../queue-tolerance.ts";
import { parsePayload } from "../mail/emails/rows.ts";
import { claimEmails } from "./email-queue/claim.ts";
import { lookForDue } from "./email-queue/find-due.ts";
import { reclaimEmails, releaseEmails } from "./email-queue/give-back.ts";
import { createParkedRoutes, endHoldsAhead } from "./email-queue/park.ts";
import { settleEmails } from "./email-queue/settle.ts";
import { listDue, queueStatus, routeStatuses } from "./email-queue/status.ts";
import { takeAlong } from "./email-queue/take-along.ts";

const findPayloads = prepared((db, { ids }: { ids: number[] }, engine) =>
  db
    .selectFrom("email_payloads")
    .select(["email_id", "payload"])
    .where((eb) => engine.anyOf(eb.ref("email_id"), ids, "bigint")),
);

const renewClaims = prepared((db, values: { ids: number[]; now: number; until: number }, engine) =>
  db
    .updateTable("claims")
    .set({ renewed_at: values.now, until: values.until })
    // In the order in which settling locks them: the rows' own changes with each renewal.
    .where("id", "in", (own) =>
      engine.forUpdate(
        own
          .selectFrom("claims")
          .select("id")
          .where((eb) => engine.anyOf(eb.ref("id"), values.ids))
          .orderBy("id"),
      ),
    )
    .whereRef("until", ">", "renewed_at")
    .returning("id"),
);

const findClaims = prepared((db) =>
  db.selectFrom("claims").select(["id", "worker", "renewed_at", "until"]).orderBy("id"),
);

/**
 * Whether an e-mail (`e`) was scheduled, or rescheduled, for when it is due. One that was rescheduled for "now" is due when it was
 * queued. As a whole, PostgreSQL knows of no index for
 * it: by that of scheduled e-mails, it would read all of them for each row of the queue.
 */
const keepsTime = sql<SqlBool>`case
  when e.scheduled_at is null or e.scheduled_at <> q.due_at then false
  when q.attempts = 0 then q.due_at <> q.queued_at
  else q.due_at > q.queued_at end`;

/** Whether there is something to restore: mostly there is not, and a look at all that waits is not to keep others from writing. */
const findAhead = prepared(
  (db, { now, latest }: { now: number; latest: number }) =>
    db
      .selectFrom("email_queue")
      .select("email_id")
      .where("queued_at", ">", latest)
      .where("due_at", ">", now)
      .limit(1),
  longRead(forOperator),
);

/**
 * A scheduled e-mail keeps its time until it was tried, and one that was rescheduled later until it is tried then; one
 * delayed for a campaign's pace keeps its distance from the others.
 */
const restoreDue = prepared((db, { now, latest }: { now: number; latest: number }) =>
  db
    .updateTable("email_queue as q")
    .set({
      due_at: sql<number>`case when attempts > 0 or due_at <= queued_at then ${now} else ${now} + due_at - queued_at end`,
      queued_at: now,
    })
    .where("queued_at", ">", latest)
    .where("due_at", ">", now)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom("emails as e").select("e.id").whereRef("e.id", "=", "q.email_id").where(keepsTime),
        ),
      ),
    )
    .returning("email_id"),
);

/** The queue of e-mails. */
export const createEmailQueueRepository = (db: Handle, engine: Engine): EmailQueue => ({
  look: (now, limit, floors) => lookForDue(db, engine, now, limit, floors),
  claim: async (claim) => (claim.wants.length === 0 ? [] : claimEmails(db, engine, claim)),
  async payloads(leases) {
    if (leases.length === 0) return [];
    const rows = await findPayloads(db, engine, { ids: leases.map(({ row }) => row) });
    const byRow = new Map(rows.map(({ email_id, payload }) => [email_id, payload]));
    return leases.map(({ row }) => {
      const text = byRow.get(row);
      return text === undefined ? undefined : parsePayload(text);
    });
  },
  async renew(claimIds, now, until) {
    if (claimIds.length === 0) return [];
    const ids = [...claimIds].sort((a, b) => a - b);
    return (await renewClaims(db, engine, { ids, now, until })).map(({ id }) => id);
  },
  async release(leases, changes) {
    if (leases.length > 0) await releaseEmails(db, engine, leases, changes);
  },
  takeAlong: (move) => takeAlong(db, engine, move),
  settle: async (results, now) => (results.length === 0 ? [] : settleEmails(db, engine, results, now)),
  claims: async () =>
    (await findClaims(db, engine, {})).map(({ id, worker, renewed_at, until }) => ({
      id,
      worker,
      until,
      leaseMs: until - renewed_at,
    })),
  reclaim: async (claims, now, options) =>
    claims.length === 0 ? 0 : reclaimEmails(db, engine, claims, { now, ...options }),
  async restoreDue(now) {
    await endHoldsAhead(db, engine, { now });
    const times = { now, latest: now + queueToleranceMs };
    if ((await findAhead(db, engine, times)).length === 0) return 0;
    return (await restoreDue(db, engine, times)).length;
  },
  ...createParkedRoutes(db, engine),
  status: (now) => queueStatus(db, engine, now),
  listDue: (before, limit) => listDue(db, before, limit),
  routes: (now, limit) => routeStatuses(db, engine, now, limit),
});
