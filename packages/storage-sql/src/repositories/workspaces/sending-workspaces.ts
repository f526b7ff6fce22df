import type { SendingWorkspace } from "@posthorn/core/storage";
import { sql } from "kysely";
import { brief } from "../../deferred.ts";
import type { Engine, Handle } from "../../engine.ts";
import { prepared } from "../../prepared.ts";
import { listActiveServers } from "../mail/smtp-servers.ts";
import { readSubscription } from "../webhooks/webhooks.ts";
import { planIdOf } from "./plan-id-of.ts";

const findRows = prepared(
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

/** Lists workspaces as sends need them, in no order. */
export async function listSendingWorkspaces(
  db: Handle,
  engine: Engine,
  workspaceIds: number[],
): Promise<SendingWorkspace[]> {
  if (workspaceIds.length === 0) return [];
  const [rows, listeners] = await Promise.all([
    findRows(db, engine, { workspaceIds }),
    findListeners(db, engine, { workspaceIds }),
  ]);
  const withServers = rows.filter(({ server }) => server !== null).map((row) => row.workspace_id);
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
  return rows.map((row) => ({
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
