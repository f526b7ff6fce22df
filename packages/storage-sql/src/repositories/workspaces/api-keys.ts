import type { ApiKey, ApiKeys } from "@posthorn/core/storage";
import { briefly } from "../../deferred.ts";
import type { Engine, Handle } from "../../engine.ts";
import { countOf, listById } from "../../list-range.ts";
import { prepared } from "../../prepared.ts";
import type { Row } from "../../tables.ts";

const findByDigests = prepared(
  (db, { digests }: { digests: string[] }, engine) =>
    db
      .selectFrom("api_keys")
      .selectAll()
      .where((eb) => engine.anyOf(eb.ref("digest"), digests, "text")),
  briefly({ ignored: "last_used_at" }),
);

const touch = prepared((db, { ids, now }: { ids: string[]; now: number }, engine) =>
  db
    .updateTable("api_keys")
    .set({ last_used_at: now })
    .where((eb) => engine.anyOf(eb.ref("uuid"), ids))
    .where((eb) => eb.or([eb("last_used_at", "is", null), eb("last_used_at", "<", now)])),
);

/** Ms before a key expires from which on its owner is notified (decisions §8). */
const expiringMs = 14 * 86_400_000;

/** API keys, and what a request with one needs to know. */
export function createApiKeysRepository(db: Handle, engine: Engine): ApiKeys {
  const ofWorkspace = (workspaceId: number) =>
    db.selectFrom("api_keys").selectAll().where("workspace_id", "=", workspaceId);
  return {
    async insert(key) {
      const row = await db
        .insertInto("api_keys")
        .values({
          uuid: key.id,
          workspace_id: key.workspaceId,
          name: key.name,
          prefix: key.prefix,
          digest: key.digest,
          created_by: key.createdBy ?? null,
          created_at: key.createdAt,
          expires_at: key.expiresAt ?? null,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return toApiKey(row);
    },
    async findByDigests(digests) {
      if (digests.length === 0) return [];
      const rows = await findByDigests(db, engine, { digests });
      return rows.map((row) => ({ ...toApiKey(row), digest: row.digest }));
    },
    async find(workspaceId, id) {
      const row = await ofWorkspace(workspaceId).where("uuid", "=", id).executeTakeFirst();
      return row && toApiKey(row);
    },
    list(workspaceId, slice) {
      const to = { holder: workspaceId };
      const unrevoked = db
        .selectFrom("api_keys")
        .where("workspace_id", "=", workspaceId)
        .where("revoked_at", "is", null);
      const answer = { ...to, toItem: toApiKey, count: () => countOf(unrevoked, to) };
      return listById(unrevoked.selectAll(), slice, answer);
    },
    async countUsable(workspaceId, now) {
      const row = await db
        .selectFrom("api_keys")
        .select((eb) => eb.fn.countAll().as("count"))
        .where("workspace_id", "=", workspaceId)
        .where("revoked_at", "is", null)
        .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", now)]))
        .executeTakeFirst();
      return Number(row?.count ?? 0);
    },
    async revoke(workspaceId, id, now) {
      const rows = await db
        .updateTable("api_keys")
        .set({ revoked_at: now })
        .where("uuid", "=", id)
        .where("workspace_id", "=", workspaceId)
        .where("revoked_at", "is", null)
        .returning("id")
        .execute();
      return rows.length > 0;
    },
    async listExpiring(from, until, limit) {
      const rows = await db
        .selectFrom("api_keys")
        .selectAll()
        .where("revoked_at", "is", null)
        .where("expires_at", ">", from)
        .where("expires_at", "<=", until)
        .orderBy("expires_at")
        .limit(limit)
        .execute();
      return rows.map(toApiKey);
    },
    async takeExpiring(now, limit) {
      const rows = await db
        .updateTable("api_keys")
        .set({ expiry_told_at: now })
        .where("id", "in", (eb) =>
          engine.skipLocked(
            eb
              .selectFrom("api_keys")
              .select("id")
              .where("revoked_at", "is", null)
              .where("expiry_told_at", "is", null)
              .where("expires_at", "<=", now + expiringMs)
              .where((half) => half(half("expires_at", "+", half.ref("created_at")), "<=", 2 * now))
              .orderBy("expires_at")
              .limit(limit),
          ),
        )
        // Checked again in case another process changed the row meanwhile.
        .where("expiry_told_at", "is", null)
        .returningAll()
        .execute();
      return rows.map(toApiKey);
    },
    async touch(ids, now) {
      if (ids.length > 0) await touch(db, engine, { ids, now });
    },
  };
}

function toApiKey(row: Row<"api_keys">): ApiKey {
  return {
    id: row.uuid,
    workspaceId: row.workspace_id,
    name: row.name,
    prefix: row.prefix,
    createdBy: row.created_by ?? undefined,
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
    lastUsedAt: row.last_used_at ?? undefined,
  };
}
