import type { Domain, DomainChanges, DomainStatus, Domains, StoredDkimKey } from "@posthorn/core/storage";
import { type Selectable, sql } from "kysely";
import { atomically } from "../../atomically.ts";
import type { Engine, Handle } from "../../engine.ts";
import { prepared } from "../../prepared.ts";
import { present } from "../../present.ts";
import type { DomainKeysTable, DomainsTable } from "../../tables.ts";

type DomainRow = Selectable<DomainsTable>;
type KeyRow = Selectable<DomainKeysTable>;

const listSending = prepared((db, values: { workspaceIds: number[]; names: string[] }, engine) =>
  db
    .selectFrom("domains as d")
    .innerJoin("domain_keys as k", (join) =>
      join.onRef("k.domain_id", "=", "d.id").on("k.state", "=", sql.lit("active")),
    )
    .select(["d.workspace_id", "d.uuid", "d.name", "d.include_subdomains", "k.selector", "k.private_key"])
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
    async list(workspaceId, { offset, limit }) {
      const [rows, count] = await Promise.all([
        ofWorkspace(workspaceId).orderBy("name").limit(limit).offset(offset).execute(),
        db
          .selectFrom("domains")
          .select((select) => select.fn.countAll<number>().as("total"))
          .where("workspace_id", "=", workspaceId)
          .executeTakeFirstOrThrow(),
      ]);
      return { items: await withKeys(db, engine, rows), total: Number(count.total) };
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
      const rows = await listSending(db, engine, { workspaceIds, names });
      return rows.map((row) => ({
        workspaceId: row.workspace_id,
        id: row.uuid,
        name: row.name,
        includeSubdomains: Boolean(row.include_subdomains),
        key: { selector: row.selector, privateKey: row.private_key },
      }));
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
      records: JSON.stringify({ records: [] }),
      next_check_at: domain.nextCheckAt ?? null,
      created_at: domain.createdAt,
      updated_at: domain.createdAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  for (const key of domain.keys) await tx.insertInto("domain_keys").values(keyRow(row.id, key)).execute();
  const [inserted] = await withKeys(tx, engine, [row]);
  if (inserted === undefined) throw new TypeError("an inserted domain is gone");
  return inserted;
}

const domainRow = (db: Handle, { id }: Pick<Domain, "id">) =>
  db.selectFrom("domains").select("id").where("uuid", "=", id);

/** First out, then in: one key of a domain is active, and an index holds to that. */
async function rotate(db: Handle, domain: Domain, next: StoredDkimKey, now: number): Promise<void> {
  const { id } = await domainRow(db, domain).executeTakeFirstOrThrow();
  const ofState = (state: string) =>
    db.updateTable("domain_keys").where("domain_id", "=", id).where("state", "=", state);
  await ofState("active").set({ state: "retired", retired_at: now, private_key: "" }).execute();
  await ofState("standby").set({ state: "active", activated_at: now }).execute();
  await db.insertInto("domain_keys").values(keyRow(id, next)).execute();
}

async function takeDue(
  db: Handle,
  engine: Engine,
  { now, until, limit }: { now: number; until: number; limit: number },
): Promise<Domain[]> {
  const due = db
    .selectFrom("domains")
    .select("id")
    .where("next_check_at", "<=", now)
    .orderBy("next_check_at")
    .limit(limit);
  const rows = await db
    .updateTable("domains")
    .set({ next_check_at: until })
    .where("id", "in", engine.skipLocked(due))
    // Looked at once more where another process had the row meanwhile.
    .where("next_check_at", "<=", now)
    .returningAll()
    .execute();
  return withKeys(db, engine, rows);
}

/** The domains of rows, with the keys of all in one read. */
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

const keyRow = (domainId: number, key: StoredDkimKey) => ({
  domain_id: domainId,
  selector: key.selector,
  algorithm: key.algorithm,
  private_key: key.privateKey,
  public_key: key.publicKey,
  state: key.state,
  created_at: key.createdAt,
  activated_at: key.activatedAt ?? null,
  retired_at: key.retiredAt ?? null,
});

/** A key that is there with `undefined` empties its column. */
function changedColumns(changes: DomainChanges) {
  return {
    ...(changes.status !== undefined && { status: changes.status }),
    ...(changes.statusSince !== undefined && { status_since: changes.statusSince }),
    ...(changes.statusReason !== undefined && { status_reason: changes.statusReason }),
    ...(changes.includeSubdomains !== undefined && { include_subdomains: changes.includeSubdomains }),
    ...(changes.findings !== undefined && { records: JSON.stringify(changes.findings) }),
    ...(changes.verifiedAt !== undefined && { verified_at: changes.verifiedAt }),
    ...(changes.checkedAt !== undefined && { checked_at: changes.checkedAt }),
    ...("nextCheckAt" in changes && { next_check_at: changes.nextCheckAt ?? null }),
    ...("rotationToldAt" in changes && { rotation_told_at: changes.rotationToldAt ?? null }),
    ...(changes.updatedAt !== undefined && { updated_at: changes.updatedAt }),
  };
}

function toDomain(row: DomainRow, keys: KeyRow[]): Domain {
  return {
    id: row.uuid,
    workspaceId: row.workspace_id,
    name: row.name,
    organisation: row.organisation,
    token: row.token,
    status: row.status as DomainStatus,
    statusSince: row.status_since,
    statusReason: row.status_reason,
    includeSubdomains: Boolean(row.include_subdomains),
    findings: JSON.parse(row.records),
    keys: keys.map((key) => ({
      selector: key.selector,
      algorithm: "rsa-2048",
      privateKey: key.private_key,
      publicKey: key.public_key,
      state: key.state as StoredDkimKey["state"],
      createdAt: key.created_at,
      activatedAt: present(key.activated_at),
      retiredAt: present(key.retired_at),
    })),
    verifiedAt: present(row.verified_at),
    checkedAt: present(row.checked_at),
    nextCheckAt: present(row.next_check_at),
    rotationToldAt: present(row.rotation_told_at),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
