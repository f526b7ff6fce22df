import {
  type CampaignCounts,
  type CampaignProgress,
  type Campaigns,
  campaignCounters,
  maxLookAheadMs,
} from "@posthorn/core/storage";
import { sql } from "kysely";
import { atomically } from "../../../atomically.ts";
import { createCounters } from "../../../create-counters.ts";
import type { Engine, Handle } from "../../../engine.ts";
import { columnsOf } from "../../../tables.ts";
import { toCampaign } from "./rows.ts";

/** A campaign deleted with its workspace is no longer counted. */
const addTo = createCounters(
  "campaign_counts",
  "total",
  (engine) => sql`exists (select 1 from ${engine.table("campaigns")} as known where known.id = campaign_id)`,
);

const markTypes = columnsOf("campaign_recipients", [
  "campaign_id",
  "position",
  "state",
  "reason",
  "email_id",
]);

type Feeding = Pick<
  Campaigns,
  "counts" | "count" | "take" | "renew" | "nextLookAt" | "advance" | "release" | "delay" | "waiting"
>;

/** When a campaign is due and not taken by a worker. */
const later = sql<number>`case when feeder_until > look_at then feeder_until else look_at end`;

/** Queries of the feeder: which campaign is next, its progress, and the outcomes of its mails. */
export const createFeeding = (db: Handle, engine: Engine): Feeding => ({
  async counts(ids) {
    const none = (): CampaignCounts =>
      Object.fromEntries(campaignCounters.map((name) => [name, 0])) as CampaignCounts;
    const counts = new Map(ids.map((id) => [id, none()]));
    if (ids.length === 0) return counts;
    const rows = await db
      .selectFrom("campaign_counts")
      .select(["campaign_id", "counter"])
      .select((is) => is.fn.sum<number>("total").as("total"))
      .where((is) => engine.anyOf(is.ref("campaign_id"), ids))
      .groupBy(["campaign_id", "counter"])
      .execute();
    for (const { campaign_id: id, counter, total } of rows) {
      const of = counts.get(id);
      if (of !== undefined) of[counter as keyof CampaignCounts] = Number(total);
    }
    return counts;
  },
  async count(changes) {
    const rows = changes.map(({ campaignId: campaign_id, counter, by }) => ({ campaign_id, counter, by }));
    await addTo(db, engine, rows);
  },
  async take(worker, now, leaseMs, except = []) {
    const row = await atomically(db, async (tx) => {
      const due = await engine
        .skipLocked(
          tx
            .selectFrom("campaigns")
            .select(["id", "feeder_fence"])
            .where((is) =>
              is.or([
                is("look_at", "<=", now),
                is.and([is("status", "=", "running"), is("look_at", ">", now + 2 * maxLookAheadMs)]),
              ]),
            )
            .where((is) => is.or([is("feeder_until", "<=", now), is("feeder_until", ">", now + 2 * leaseMs)]))
            .$if(except.length > 0, (query) =>
              query.where((is) => is.not(engine.anyOf(is.ref("id"), except))),
            )
            .orderBy("look_at")
            .limit(1),
        )
        .executeTakeFirst();
      if (due === undefined) return undefined;
      return await tx
        .updateTable("campaigns")
        .set({ feeder_worker: worker, feeder_until: now + leaseMs, feeder_fence: due.feeder_fence + 1 })
        .where("id", "=", due.id)
        .returningAll()
        .executeTakeFirst();
    });
    // A damaged campaign is read only once it is leased, so that the next look finds the others.
    return row && { campaign: toCampaign(row), fence: row.feeder_fence, nextSlotAt: row.next_slot_at };
  },
  async renew(id, fence, until) {
    const held = await db
      .updateTable("campaigns")
      .set({ feeder_until: until })
      .where("id", "=", id)
      .where("feeder_fence", "=", fence)
      .where("feeder_until", ">", 0)
      .returning("id")
      .execute();
    return held.length > 0;
  },
  async nextLookAt() {
    const { next } = await db
      .selectFrom("campaigns")
      .select((is) => is.fn.min<number | null>(later).as("next"))
      .where("look_at", "is not", null)
      .executeTakeFirstOrThrow();
    return next === null ? undefined : Number(next);
  },
  async advance(id, fence, { cursor, nextSlotAt, marks }: CampaignProgress) {
    const held = await db
      .updateTable("campaigns")
      .set({ cursor_position: cursor, next_slot_at: nextSlotAt })
      .where("id", "=", id)
      .where("feeder_fence", "=", fence)
      .where("status", "=", "running")
      .returning("id")
      .execute();
    if (held.length === 0) return false;
    if (marks.length === 0) return true;
    // With the campaign in each row, a mark is found by the whole key; by its first column alone, SQLite would scan the
    // list for each.
    const rows = marks.map(({ emailId, ...mark }) => ({
      ...mark,
      campaign_id: id,
      email_id: emailId ?? null,
    }));
    const { rows: marked } = await sql`
      update ${engine.table("campaign_recipients")} as r
      set state = v.state, reason = v.reason, email_id = v.email_id
      from ${engine.valuesToFind("v", markTypes, rows)}
      where r.campaign_id = v.campaign_id and r.position = v.position
      returning 1 as marked
    `.execute(db);
    return marked.length === marks.length;
  },
  async release(id, fence, lookAt, takenAs) {
    await db
      .updateTable("campaigns")
      .set({
        feeder_worker: null,
        feeder_until: 0,
        // One that somebody cancelled meanwhile must still be cleared, and one that was resumed or put off be looked at.
        look_at:
          lookAt === undefined
            ? sql<number>`case when status <> ${takenAs} or status in ('scheduled', 'running') then look_at else null end`
            : sql<number>`case when status <> ${takenAs} then look_at else ${lookAt} end`,
      })
      .where("id", "=", id)
      .where("feeder_fence", "=", fence)
      .execute();
  },
  delay: (id, route, ms) =>
    atomically(db, async (tx) => {
      await tx
        .updateTable("campaigns")
        .set((is) => ({
          paused_ms: is("paused_ms", "+", ms),
          next_slot_at: is("next_slot_at", "+", ms),
        }))
        .where("id", "=", id)
        .execute();
      await tx
        .updateTable("email_queue")
        .set((is) => ({ due_at: is("due_at", "+", ms) }))
        .where("route", "=", route)
        .execute();
    }),
  async waiting(route, limit) {
    const rows = await db
      .selectFrom("email_queue as q")
      .innerJoin("emails as e", "e.id", "q.email_id")
      .select("e.uuid")
      .where("q.route", "=", route)
      .limit(limit)
      .execute();
    return rows.map(({ uuid }) => uuid);
  },
});
