import type { EmailQueue, HoldOwner, ParkedRoute } from "@posthorn/core/storage";
import { type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Engine, Handle } from "../../../engine.ts";
import { prepared } from "../../../prepared.ts";
import type { Database } from "../../../tables.ts";
import { stillBefore } from "../../still-before.ts";

/** A hold applies until it is removed or its end has passed. */
const stands = (now: number) => (eb: ExpressionBuilder<Database, "parked_routes">) =>
  eb.or([eb("parked_until", "is", null), eb("parked_until", ">", now)]);

/** Whether a hold is on a route of the workspace, of its mail servers or of its campaigns. */
export const isHoldOf = (workspaceId: number) => (eb: ExpressionBuilder<Database, "parked_routes">) =>
  eb.or([
    eb("route", "=", `w:${workspaceId}`),
    eb("route", "like", `s:${workspaceId}:%`),
    eb("route", "like", `c:${workspaceId}:%`),
  ]);

const findStanding = prepared((db, { now }: { now: number }) =>
  db.selectFrom("parked_routes").selectAll().where(stands(now)).orderBy("route").orderBy("owner"),
);

/** The holds in force at `now`. */
export const standingHolds = async (db: Handle, engine: Engine, now: number): Promise<ParkedRoute[]> =>
  (await findStanding(db, engine, { now })).map((row) => ({
    route: row.route,
    owner: row.owner as HoldOwner,
    parkedAt: row.parked_at,
    until: row.parked_until ?? undefined,
    reason: row.reason,
  }));

const findOne = prepared((db, { route, now }: { route: string; now: number }) =>
  db.selectFrom("parked_routes").select("route").where("route", "=", route).where(stands(now)),
);

const endHold = prepared((db, { route, now }: { route: string; now: number }) =>
  db.deleteFrom("parked_routes").where("route", "=", route).where("parked_until", "<=", now),
);

/** Ends holds that a clock ahead of `now` set: their end would come late by as much. Those without an end stay. */
export const endHoldsAhead = prepared((db, { now }: { now: number }) =>
  db.deleteFrom("parked_routes").where("parked_until", "is not", null).where("parked_at", ">", now),
);

const findNext = prepared((db, { route, lane }: { route: string; lane: number }) =>
  db
    .selectFrom("email_queue as q")
    .select("q.due_at")
    .select((eb) => [
      eb
        .selectFrom("parked_routes as p")
        .select((inner) => inner.fn.max("p.parked_until").as("until"))
        .whereRef("p.route", "=", "q.route")
        .as("until"),
      eb
        .selectFrom("parked_routes as p")
        .select((inner) => inner.fn.countAll().as("endless"))
        .whereRef("p.route", "=", "q.route")
        .where("p.parked_until", "is", null)
        .as("endless"),
    ])
    .where("q.route", "=", route)
    .where("q.lane", "=", lane)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("claim_items as i")
            .select("i.email_id")
            .where("i.route", "=", route)
            .where("i.lane", "=", lane),
        ),
      ),
    )
    .orderBy("q.due_at")
    .limit(1),
);

/** Condition that no e-mail waits on the route of a hold `s`: one that does goes alone first, however late. */
export const hasNothing = (engine: Engine): RawBuilder<SqlBool> =>
  sql<SqlBool>`not exists (select 1 from ${engine.table("email_queue")} as q where q.route = s.route)`;

const deleteHoldsBefore = prepared((db, values: { before: number; limit: number }, engine) =>
  db
    .deleteFrom("parked_routes")
    .where("route", "in", (ended) =>
      ended
        .selectFrom("parked_routes as s")
        .select("s.route")
        .where("s.parked_until", "<", values.before)
        .where(hasNothing(engine))
        .limit(values.limit),
    )
    .where(stillBefore("parked_until", values.before))
    .returning("route"),
);

/** Holds on routes, one row for each of a route's owners. */
export const createParkedRoutes = (
  db: Handle,
  engine: Engine,
): Pick<
  EmailQueue,
  "park" | "unpark" | "unparkServers" | "endHold" | "opensAt" | "deleteHoldsBefore" | "parked" | "isParked"
> => ({
  async park({ route, owner, until, reason }, now) {
    // The owner's existing hold without an end, or with a later one, remains.
    const { rows } = await sql`
      insert into ${engine.table("parked_routes")} as p (route, owner, parked_at, parked_until, reason)
      values (${route}, ${owner}, ${now}, ${until ?? null}, ${reason})
      on conflict (route, owner) do update
      set parked_until = excluded.parked_until, reason = excluded.reason,
        parked_at = case when p.parked_until > ${now} then p.parked_at else excluded.parked_at end
      where p.parked_until is not null and (excluded.parked_until is null or excluded.parked_until > p.parked_until)
      returning route
    `.execute(db);
    return rows.length > 0;
  },
  async unpark(route, owners) {
    const lifted = await db
      .deleteFrom("parked_routes")
      .where("route", "=", route)
      .where("owner", "in", owners)
      .returning("owner")
      .execute();
    return lifted.length > 0;
  },
  async endHold(route, now) {
    await endHold(db, engine, { route, now });
  },
  async opensAt(part) {
    const [next] = await findNext(db, engine, part);
    if (next === undefined) return undefined;
    return Number(next.endless) > 0 ? Number.POSITIVE_INFINITY : Math.max(next.due_at, next.until ?? 0);
  },
  deleteHoldsBefore: async (before, limit) => (await deleteHoldsBefore(db, engine, { before, limit })).length,
  async unparkServers(workspaceId) {
    await db.deleteFrom("parked_routes").where("owner", "=", "server").where(isHoldOf(workspaceId)).execute();
  },
  isParked: async (route, now) => (await findOne(db, engine, { route, now })).length > 0,
  parked: (now) => standingHolds(db, engine, now),
});
