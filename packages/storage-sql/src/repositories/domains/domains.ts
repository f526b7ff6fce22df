import type { Domain, DomainStatus, Domains, StoredDkimKey } from "@posthorn/core/storage";
import { sql } from "kysely";
import { atomically } from "../../atomically.ts";
import type { Engine, Handle } from "../../engine.ts";
import { countOf, listById } from "../../list-range.ts";
import { prepared } from "../../prepared.ts";
import { present } from "../../present.ts";
import type { Row } from "../../tables.ts";
import { changedColumns, keyRow, readFindings, toDomain, toSending } from "./rows.ts";

type DomainRow = Row<"domains">;

const listSending = prepared((db, values: { workspaceIds: number[]; names: string[] }, engine) =>
  db
    .selectFrom("domains as d")
    .innerJoin("domain_keys as k", (join) =>
      join.onRef("k.domain_id", "=", "d.id").on("k.state", "=", sql.lit("active")),
    )
    .select([
      "d.workspace_id",
      "d.uuid",
      "d.name",
      "d.include_subdomains",
      "d.return_path_domain",
      "d.return_path_verified",
      "d.tracking_domain",
      "d.tracking_verified",
      "d.tls",
      "k.selector",
      "k.private_key",
      "k.algorithm",
      "k.is_published",
    ])
    .where((eb) => engine.anyOf(eb.ref("d.workspace_id"), values.workspaceIds))
    .where((eb) => engine.anyOf(eb.ref("d.name"), values.names))
    .where("d.status", "in", [sql.lit("verified"), sql.lit("warning")]),
);

const nextDue = prepared((db, _values: object) =>
  db
    .selectFrom("domains")
    .select("next_check_at")
    .where("next_check_at", "is not", null)
    .orderBy("next_check_at")
    .limit(sql.lit(1)),
);

/** Sending domains, each with its keys. */
export function createDomainsRepository(db: Handle, engine: Engine): Domains {
  const ofWorkspace = (workspaceId: number) =>
    db.selectFrom("domains").selectAll().where("workspace_id", "=", workspaceId);
  const one = async (row: DomainRow | undefined): Promise<Domain | undefined> =>
    row && (await withKeys(db, engine, [row]))[0];
  return {
    insert: (domain) => atomically(db, (tx) => insert(tx, engine, domain)),
    find: async (workspaceId, id) =>
      one(await ofWorkspace(workspaceId).where("uuid", "=", id).executeTakeFirst()),
    lock: async (workspaceId, id) =>
      one(await engine.forUpdate(ofWorkspace(workspaceId).where("uuid", "=", id)).executeTakeFirst()),
    async list(workspaceId, slice) {
      const to = { holder: workspaceId };
      const found = await listById(ofWorkspace(workspaceId), slice, {
        toItem: (row) => row,
        count: () => countOf(db.selectFrom("domains").where("workspace_id", "=", workspaceId), to),
        ...to,
      });
      return { ...found, items: await withKeys(db, engine, found.items) };
    },
    async listNamed(workspaceId, names) {
      const rows = await ofWorkspace(workspaceId)
        .where((eb) => engine.anyOf(eb.ref("name"), names))
        .execute();
      return rows.map((row) => ({
        name: row.name,
        status: row.status as DomainStatus,
        includeSubdomains: Boolean(row.include_subdomains),
        findings: readFindings(row.records),
      }));
    },
    update: async (workspaceId, id, changes) =>
      one(
        await db
          .updateTable("domains")
          .set(changedColumns(changes))
          .where("uuid", "=", id)
          .where("workspace_id", "=", workspaceId)
          .returningAll()
          .executeTakeFirst(),
      ),
    async delete(workspaceId, id) {
      const rows = await db
        .deleteFrom("domains")
        .where("uuid", "=", id)
        .where("workspace_id", "=", workspaceId)
        .returning("id")
        .execute();
      return rows.length > 0;
    },
    rotate: (domain, next, now) => rotate(db, domain, next, now),
    async deleteRetired(domain, before) {
      await db
        .deleteFrom("domain_keys")
        .where("domain_id", "=", domainRow(db, domain))
        .where("state", "=", "retired")
        .where("retired_at", "<", before)
        .execute();
    },
    async listSending(workspaceIds, names) {
      if (workspaceIds.length === 0) return [];
      return toSending(await listSending(db, engine, { workspaceIds, names }));
    },
    async notePublished(domain, keys) {
      for (const { selector, isPublished } of keys)
        await db
          .updateTable("domain_keys")
          .set({ is_published: isPublished })
          .where("domain_id", "=", domainRow(db, domain))
          .where("selector", "=", selector)
          .execute();
    },
    async isReturnPath(domain) {
      // Any workspace may claim a name, and any number may: only the index of verified ones tells without reading them.
      const row = await db
        .selectFrom("domains")
        .select("id")
        .where(sql`case when return_path_verified then return_path_domain end`, "=", domain)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
    async hasReturnPath(workspaceId) {
      const rows = await ofWorkspace(workspaceId).where("status", "in", ["verified", "warning"]).execute();
      return rows.some((row) => Boolean(row.return_path_verified));
    },
    async isTrackingHost(host) {
      const row = await db
        .selectFrom("domains")
        .select("id")
        .where(sql`case when tracking_verified then tracking_domain end`, "=", host)
        .where("status", "in", ["verified", "warning"])
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
    takeDue: (now, until, limit) => takeDue(db, engine, { now, until, limit }),
    async release(ids, now) {
      await db
        .updateTable("domains")
        .set({ next_check_at: now })
        .where("uuid", "in", ids)
        .where("next_check_at", ">", now)
        .execute();
    },
    async checkPlanned(after, now) {
      await db
        .updateTable("domains")
        .set({ next_check_at: now })
        .where("next_check_at", ">", after)
        .execute();
    },
    nextDueAt: async () => present((await nextDue(db, engine, {}))[0]?.next_check_at ?? null),
  };
}

async function insert(tx: Handle, engine: Engine, domain: Parameters<Domains["insert"]>[0]): Promise<Domain> {
  const row = await tx
    .insertInto("domains")
    .values({
      uuid: domain.id,
      workspace_id: domain.workspaceId,
      name: domain.name,
      organisation: domain.organisation,
      token: domain.token,
      status: "pending",
      status_since: domain.createdAt,
      status_reason: "",
      include_subdomains: domain.includeSubdomains,
      return_path: domain.returnPath,
      return_path_domain: `${domain.returnPath}.${domain.name}`,
      return_path_verified: false,
      tracking: domain.tracking ?? null,
      tracking_domain: domain.tracking === undefined ? null : `${domain.tracking}.${domain.name}`,
      tracking_verified: false,
      tls: domain.tls,
      records: JSON.stringify({ records: [] }),
      next_check_at: domain.nextCheckAt ?? null,
      created_at: domain.createdAt,
      updated_at: domain.createdAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  for (const key of domain.keys) await tx.insertInto("domain_keys").values(keyRow(row.id, key)).execute();
  const [inserted] = await withKeys(tx, engine, [row]);
  if (inserted === undefined) throw new TypeError("an inserted domain was removed");
  return inserted;
}

const domainRow = (db: Handle, { id }: Pick<Domain, "id">) =>
  db.selectFrom("domains").select("id").where("uuid", "=", id);

/** Retire first, then activate: a unique index allows one active key per domain and algorithm. */
async function rotate(
  db: Handle,
  domain: Domain,
  next: readonly StoredDkimKey[],
  now: number,
): Promise<void> {
  const { id } = await domainRow(db, domain).executeTakeFirstOrThrow();
  for (const key of next) {
    const ofState = (state: string) =>
      db
        .updateTable("domain_keys")
        .where("domain_id", "=", id)
        .where("algorithm", "=", key.algorithm)
        .where("state", "=", state);
    await ofState("active").set({ state: "retired", retired_at: now, private_key: "" }).execute();
    await ofState("standby").set({ state: "active", activated_at: now }).execute();
    await db.insertInto("domain_keys").values(keyRow(id, key)).execute();
  }
}

/**
 * Takes them in two statements. With `id in (… limit n)`, PostgreSQL finds the next n anew for each of many that became due
 * since its statistics, as all do when the service's hosts change.
 */
const takeDue = (
  db: Handle,
  engine: Engine,
  { now, until, limit }: { now: number; until: number; limit: number },
): Promise<Domain[]> =>
  atomically(db, async (tx) => {
    const due = await engine
      .skipLocked(
        tx
          .selectFrom("domains")
          .select("id")
          .where("next_check_at", "<=", now)
          .orderBy("next_check_at")
          .limit(limit),
      )
      .execute();
    if (due.length === 0) return [];
    const ids = due.map(({ id }) => id);
    const rows = await tx
      .updateTable("domains")
      .set({ next_check_at: until })
      .where((eb) => engine.anyOf(eb.ref("id"), ids))
      .returningAll()
      .execute();
    return withKeys(tx, engine, rows);
  });

/** Loads the domains of the rows, with all their keys in one read. */
async function withKeys(db: Handle, engine: Engine, rows: DomainRow[]): Promise<Domain[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const keys = await db
    .selectFrom("domain_keys")
    .selectAll()
    .where((eb) => engine.anyOf(eb.ref("domain_id"), ids))
    .orderBy("id")
    .execute();
  return rows.map((row) =>
    toDomain(
      row,
      keys.filter(({ domain_id }) => domain_id === row.id),
    ),
  );
}
