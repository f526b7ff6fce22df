import type { Session, Sessions } from "@posthorn/core/storage";
import { sql } from "kysely";
import type { Engine, Handle } from "../../engine.ts";
import { countOf, listById } from "../../list-range.ts";
import { prepared } from "../../prepared.ts";
import { present } from "../../present.ts";
import type { Row } from "../../tables.ts";
import { deleteExpired } from "../delete-expired.ts";
import { userOf } from "./users.ts";

type SessionRow = Omit<Row<"sessions">, "id">;

const sessionOf = (row: SessionRow): Session => ({
  id: row.uuid,
  userId: row.user_id,
  userAgent: row.user_agent,
  ipAddress: row.ip_address,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  revokedAt: present(row.revoked_at),
});

/** Runs on each request with a JWT. */
const findWithUser = prepared((db, { uuid }: { uuid: string }) =>
  db
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .selectAll("users")
    .select([
      "sessions.uuid",
      "sessions.user_id",
      "sessions.user_agent",
      "sessions.ip_address",
      "sessions.created_at as began_at",
      "sessions.expires_at",
      "sessions.revoked_at",
    ])
    // A subquery: SQLite built with STAT4 otherwise plans a join again at each execution (54 µs instead of 6).
    .where("sessions.uuid", "=", sql<string>`(select ${uuid})`),
);

/** Number of a user's oldest sessions that are deleted at once. */
const oldestAtOnce = 100;

/** Logins. */
export const createSessionsRepository = (db: Handle, engine: Engine): Sessions => ({
  async insert(session) {
    await db
      .insertInto("sessions")
      .values({
        uuid: session.id,
        user_id: session.userId,
        user_agent: session.userAgent,
        ip_address: session.ipAddress,
        created_at: session.createdAt,
        expires_at: session.expiresAt,
      })
      .execute();
  },
  async findWithUser(id) {
    const [row] = await findWithUser(db, engine, { uuid: id });
    return row && { session: sessionOf({ ...row, created_at: row.began_at }), user: userOf(row) };
  },
  list(userId, now, slice) {
    const to = { holder: `user ${userId}` };
    const unexpired = db.selectFrom("sessions").where("user_id", "=", userId).where("expires_at", ">", now);
    return listById(unexpired.selectAll(), slice, {
      ...to,
      toItem: sessionOf,
      count: () => countOf(unexpired, to),
    });
  },
  async revoke(userId, id, now) {
    const revoked = await db
      .updateTable("sessions")
      .set({ revoked_at: now })
      .where("uuid", "=", id)
      .where("user_id", "=", userId)
      .where("revoked_at", "is", null)
      .returning("id")
      .execute();
    return revoked.length > 0;
  },
  async revokeAll(userId, exceptId, now) {
    // Expired ones, too: a clock that is ahead takes those for expired that work again once it is set right.
    const revoked = await db
      .updateTable("sessions")
      .set({ revoked_at: now })
      .where("user_id", "=", userId)
      .where("revoked_at", "is", null)
      .$if(exceptId !== undefined, (others) => others.where("uuid", "!=", exceptId ?? ""))
      .returning("expires_at")
      .execute();
    return revoked.filter(({ expires_at }) => expires_at > now).length;
  },
  async deleteOldest(userId, most) {
    const deleted = await db
      .deleteFrom("sessions")
      .where("id", "in", (oldest) =>
        oldest
          .selectFrom("sessions")
          .select("id")
          .where("user_id", "=", userId)
          .orderBy("id", "desc")
          .limit(oldestAtOnce)
          .offset(most),
      )
      .returning("id")
      .execute();
    return deleted.length;
  },
  deleteExpired: (before, limit) => deleteExpired(db, "sessions", before, limit),
});
