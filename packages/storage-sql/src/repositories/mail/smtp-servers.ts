import { healthySmtpServer, type SmtpServer, type SmtpServers } from "@posthorn/core/storage";
import { sql } from "kysely";
import type { Engine, Handle } from "../../engine.ts";
import { prepared } from "../../prepared.ts";
import { changedColumns, healthColumns, settingColumns, toSmtpServer } from "./smtp-servers/rows.ts";
import { createSentCounts } from "./smtp-servers/sent.ts";

const listActive = prepared((db, { workspaceIds }: { workspaceIds: number[] }, engine) =>
  db
    .selectFrom("smtp_servers")
    .selectAll()
    .where((eb) => engine.anyOf(eb.ref("workspace_id"), workspaceIds))
    .where("is_active", "=", true)
    .orderBy("priority")
    .orderBy("id"),
);

const findPlatformServers = prepared((db, { workspaceIds }: { workspaceIds: number[] }, engine) =>
  db
    .selectFrom("settings")
    .select(["workspace_id", "platform_server"])
    .where((eb) => engine.anyOf(eb.ref("workspace_id"), workspaceIds)),
);

/** The active servers of workspaces, by priority, then age, oldest first. */
export const listActiveServers = async (
  db: Handle,
  engine: Engine,
  workspaceIds: number[],
): Promise<SmtpServer[]> =>
  workspaceIds.length === 0 ? [] : (await listActive(db, engine, { workspaceIds })).map(toSmtpServer);

/** By how many µs the processes' clocks may differ before the next time counts as set by a wrong one. */
const toleranceUs = 5_000_000;

const takeSlots = async (
  db: Handle,
  engine: Engine,
  row: number,
  { count, interval, now, within }: Parameters<SmtpServers["takeSlots"]>[1],
) => {
  const fresh = Math.min(count, Math.floor(within / interval) + 1);
  // Nothing is granted further ahead: such a time was set by a clock that was ahead, and would hold the server until then.
  const latest = now + within + interval + toleranceUs;
  const base = sql`case when p.next_at > ${now} and p.next_at <= ${latest} then p.next_at else ${now} end`;
  // Whole slots that begin no later than `within` from now; none if the next is later.
  const slots = sql`cast((${now + within} - (${base})) / ${interval} as bigint) + 1`;
  const room = sql`case when ${base} > ${now + within} then 0 else ${slots} end`;
  const granted = sql`case when (${room}) < ${count} then (${room}) else ${count} end`;
  const { rows } = await sql<{ next_at: number; granted: number }>`
    insert into ${engine.table("smtp_pacing")} as p (server_id, next_at, granted)
    values (${row}, ${now + fresh * interval}, ${fresh})
    on conflict (server_id) do update set granted = ${granted}, next_at = (${base}) + (${granted}) * ${interval}
    returning next_at, granted
  `.execute(db);
  const [taken] = rows;
  if (taken === undefined) throw new Error("a server's pace has no row");
  const [next, number] = [Number(taken.next_at), Number(taken.granted)];
  return { granted: number, first: next - number * interval, next };
};

/** Mail servers of workspaces. */
export const createSmtpServersRepository = (db: Handle, engine: Engine): SmtpServers => ({
  async insert({ id, workspaceId, createdAt, ...settings }) {
    const row = await db
      .insertInto("smtp_servers")
      .values({
        uuid: id,
        workspace_id: workspaceId,
        ...settingColumns(settings),
        ...healthColumns(healthySmtpServer),
        version: 1,
        health_version: 1,
        created_at: createdAt,
        updated_at: createdAt,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return toSmtpServer(row);
  },
  async find(workspaceId, id) {
    const row = await db
      .selectFrom("smtp_servers")
      .selectAll()
      .where("uuid", "=", id)
      .where("workspace_id", "=", workspaceId)
      .executeTakeFirst();
    return row && toSmtpServer(row);
  },
  async list(workspaceId) {
    const rows = await db
      .selectFrom("smtp_servers")
      .selectAll()
      .where("workspace_id", "=", workspaceId)
      .orderBy("priority")
      .orderBy("id")
      .execute();
    return rows.map(toSmtpServer);
  },
  async findChoices(workspaceIds) {
    if (workspaceIds.length === 0) return [];
    const [settings, servers] = await Promise.all([
      findPlatformServers(db, engine, { workspaceIds }),
      listActiveServers(db, engine, workspaceIds),
    ]);
    const byWorkspace = Map.groupBy(servers, ({ workspaceId }) => workspaceId);
    return settings.map(({ workspace_id: workspaceId, platform_server }) => ({
      workspaceId,
      servers: byWorkspace.get(workspaceId) ?? [],
      platformServer: Boolean(platform_server),
    }));
  },
  async count(workspaceId) {
    const row = await db
      .selectFrom("smtp_servers")
      .select((eb) => eb.fn.countAll().as("count"))
      .where("workspace_id", "=", workspaceId)
      .executeTakeFirst();
    return Number(row?.count ?? 0);
  },
  async update(workspaceId, id, { updatedAt, health, ...changes }) {
    const row = await db
      .updateTable("smtp_servers")
      .set({
        ...changedColumns(changes),
        ...(health && { ...healthColumns(health), health_version: sql<number>`health_version + 1` }),
        updated_at: updatedAt,
        version: sql<number>`version + 1`,
      })
      .where("uuid", "=", id)
      .where("workspace_id", "=", workspaceId)
      .returningAll()
      .executeTakeFirst();
    return row && toSmtpServer(row);
  },
  async delete(workspaceId, id) {
    const row = await db
      .deleteFrom("smtp_servers")
      .where("uuid", "=", id)
      .where("workspace_id", "=", workspaceId)
      .returningAll()
      .executeTakeFirst();
    return row && toSmtpServer(row);
  },
  async changeHealth(row, version, health) {
    const changed = await db
      .updateTable("smtp_servers")
      .set({ ...healthColumns(health), health_version: version + 1 })
      .where("id", "=", row)
      .where("health_version", "=", version)
      .returning("id")
      .execute();
    return changed.length > 0;
  },
  takeSlots: (row, wanted) => takeSlots(db, engine, row, wanted),
  ...createSentCounts(db, engine),
});
