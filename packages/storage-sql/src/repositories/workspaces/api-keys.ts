import type { ApiKey, ApiKeys, SendingWorkspace } from "@posthorn/core/storage";
import { sql } from "kysely";
import { brief, briefly } from "../../deferred.ts";
import type { Engine, Handle } from "../../engine.ts";
import { countOf, listById } from "../../list-range.ts";
import { prepared } from "../../prepared.ts";
import type { Row } from "../../tables.ts";
import { listActiveServers } from "../mail/smtp-servers.ts";
import { readSubscription } from "../webhooks/webhooks.ts";
import { planIdOf } from "./plan-id-of.ts";

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

const findContexts = prepared(
  (db, { workspaceIds }: { workspaceIds: number[] }, engine) =>
    db
      .selectFrom("workspaces as w")
      .innerJoin("settings as s", "s.workspace_id", "w.id")
      .leftJoin("plans as p", (join) => join.on((eb) => eb("p.id", "=", planIdOf(eb.ref("w.plan_id")))))
      .leftJoin("members as m", (join) =>
        // A literal: SQLite plans a statement again at each execution if a bound value decides whether a partial index
        // applies.
        join.onRef("m.workspace_id", "=", "w.id").on("m.role", "=", sql.lit("owner")),
      )
      .leftJoin("users as u", "u.id", "m.user_id")
      .select([
        "w.id as workspace_id",
        "w.is_trusted",
        "w.deleting_until",
        "m.user_id as owner_id",
        "u.email_verified_at",
        "w.stylesheet_set_id",
        "s.default_sender_name",
        "s.default_sender_email",
        "s.require_verified_domain",
        "s.bounce_auto_suppress",
        "s.platform_server",
        "s.track_opens",
        "s.track_clicks",
        "s.tracking_trap",
        "p.daily_rate_limit",
        "p.hourly_rate_limit",
        "p.max_attachment_size_mb",
        "p.max_batch_size",
        "p.max_api_keys",
        "p.max_domains",
        "p.max_smtp_servers",
        "p.max_workspaces",
        "p.email_log_retention_days",
      ])
      // Most keys have none, which then costs no extra read.
      .select((eb) =>
        eb
          .selectFrom("smtp_servers as k")
          .select("k.id")
          .whereRef("k.workspace_id", "=", "w.id")
          .limit(1)
          .as("server"),
      )
      .where((eb) => engine.anyOf(eb.ref("w.id"), workspaceIds, "bigint")),
  brief,
);

const findListeners = prepared(
  (db, { workspaceIds }: { workspaceIds: number[] }, engine) =>
    db
      .selectFrom("webhooks")
      .select(["uuid", "workspace_id", "events", "filters"])
      .where((eb) => engine.anyOf(eb.ref("workspace_id"), workspaceIds, "bigint"))
      // A literal: SQLite plans a statement again at each execution if a bound value is compared with a column that no
      // index has.
      .where("is_active", "=", sql.raw<number>(engine.ddl.yes))
      .orderBy("id"),
  brief,
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
    findSendingWorkspaces: async (workspaceIds) =>
      workspaceIds.length === 0 ? [] : findSendingWorkspaces(db, engine, workspaceIds),
  };
}

async function findSendingWorkspaces(
  db: Handle,
  engine: Engine,
  workspaceIds: number[],
): Promise<SendingWorkspace[]> {
  const [contexts, listeners] = await Promise.all([
    findContexts(db, engine, { workspaceIds }),
    findListeners(db, engine, { workspaceIds }),
  ]);
  const withServers = contexts.filter(({ server }) => server !== null).map((row) => row.workspace_id);
  const servers = Map.groupBy(
    await listActiveServers(db, engine, withServers),
    ({ workspaceId }) => workspaceId,
  );
  const webhooks = new Map<number, SendingWorkspace["webhooks"]>();
  for (const row of listeners) {
    const { events, filters } = readSubscription(row);
    if (!events.some((event) => event === "*" || event.startsWith("email."))) continue;
    const known = webhooks.get(row.workspace_id) ?? [];
    webhooks.set(row.workspace_id, known);
    known.push({ id: row.uuid, events, filters });
  }
  return contexts.map((row) => ({
    workspaceId: row.workspace_id,
    isTrusted: Boolean(row.is_trusted),
    // A workspace of the host's own needs no owner.
    isOwnerVerified: row.owner_id === null || row.email_verified_at !== null,
    deletingUntil: row.deleting_until ?? undefined,
    settings: {
      defaultSenderName: row.default_sender_name,
      defaultSenderEmail: row.default_sender_email,
      requireVerifiedDomain: Boolean(row.require_verified_domain),
      bounceAutoSuppress: Boolean(row.bounce_auto_suppress),
      platformServer: Boolean(row.platform_server),
      trackOpens: Boolean(row.track_opens),
      trackClicks: Boolean(row.track_clicks),
      trackingTrap: Boolean(row.tracking_trap),
    },
    limits: {
      dailyRateLimit: row.daily_rate_limit ?? 0,
      hourlyRateLimit: row.hourly_rate_limit ?? 0,
      maxAttachmentSizeMb: row.max_attachment_size_mb ?? 0,
      maxBatchSize: row.max_batch_size ?? 0,
      maxApiKeys: row.max_api_keys ?? 0,
      maxDomains: row.max_domains ?? 0,
      maxSmtpServers: row.max_smtp_servers ?? 0,
      maxWorkspaces: row.max_workspaces ?? 0,
      emailLogRetentionDays: row.email_log_retention_days ?? 0,
    },
    stylesheetSetId: row.stylesheet_set_id ?? undefined,
    webhooks: webhooks.get(row.workspace_id) ?? [],
    servers: servers.get(row.workspace_id) ?? [],
  }));
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
