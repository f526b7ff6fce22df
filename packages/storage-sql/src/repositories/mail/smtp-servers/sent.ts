import type { SmtpServers } from "@posthorn/core/storage";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Engine, Handle } from "../../../engine.ts";
import { prepared } from "../../../prepared.ts";
import { columnsOf } from "../../../tables.ts";

const hourMs = 3_600_000;

const sentTypes = columnsOf("smtp_sent");

const findActivity = prepared((db, values: { rows: readonly number[]; since: number }, engine) =>
  db
    .selectFrom("smtp_sent")
    .select("server_id")
    .select((eb) => [
      sql<number>`sum(case when hour_start >= ${values.since} then sent else 0 end)`.as("sent"),
      eb.fn.max("last_at").as("last_at"),
    ])
    .where((eb) => engine.anyOf(eb.ref("server_id"), values.rows))
    .groupBy("server_id"),
);

/** Condition that a row `s` is not the last of a server, which tells of its last success. */
export const isNotLast = (engine: Engine): RawBuilder<SqlBool> => sql<SqlBool>`(
  exists (
    select 1 from ${engine.table("smtp_sent")} as later
    where later.server_id = s.server_id
      and (later.hour_start > s.hour_start or (later.hour_start = s.hour_start and later.worker > s.worker))
  )
  or not exists (select 1 from ${engine.table("smtp_servers")} as k where k.id = s.server_id)
)`;

/** Messages that servers accepted, counted by worker and hour. */
export const createSentCounts = (
  db: Handle,
  engine: Engine,
): Pick<SmtpServers, "countSent" | "activity" | "deleteCountsBefore"> => ({
  async countSent(sent, worker, at) {
    if (sent.length === 0) return;
    const hour_start = at - (at % hourMs);
    const turn = engine.turn();
    const counter = turn === 0 ? worker : `${worker} ${turn}`;
    const rows = sent
      .toSorted((a, b) => a.row - b.row)
      .map(({ row, count }) => ({ server_id: row, hour_start, worker: counter, sent: count, last_at: at }));
    await sql`
      insert into ${engine.table("smtp_sent")} as s (server_id, hour_start, worker, sent, last_at)
      select server_id, hour_start, worker, sent, last_at from ${engine.valuesTable("v", sentTypes, rows)} where true
      on conflict (server_id, hour_start, worker) do update set sent = s.sent + excluded.sent, last_at = excluded.last_at
    `.execute(db);
  },
  async activity(rows, since) {
    if (rows.length === 0) return [];
    const found = await findActivity(db, engine, { rows, since: since - (since % hourMs) });
    return found.map(({ server_id, sent, last_at }) => ({
      row: server_id,
      sent: Number(sent),
      lastSuccessAt: Number(last_at),
    }));
  },
  async deleteCountsBefore(before, limit) {
    const { rows: gone } = await sql<{ server_id: number }>`
      delete from ${engine.table("smtp_pacing")}
      where not exists (select 1 from ${engine.table("smtp_servers")} as k where k.id = server_id)
      returning server_id
    `.execute(db);
    const { rows } = await sql<{ server_id: number }>`
      delete from ${engine.table("smtp_sent")}
      where (server_id, hour_start, worker) in (
        select s.server_id, s.hour_start, s.worker from ${engine.table("smtp_sent")} as s
        where s.hour_start < ${before} and ${isNotLast(engine)}
        limit ${limit}
      )
      returning server_id
    `.execute(db);
    return gone.length + rows.length;
  },
});
