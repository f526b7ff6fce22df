import type { Settings, SettingsRepository } from "@posthorn/core/storage";
import type { Engine, Handle } from "../../engine.ts";
import type { Row } from "../../tables.ts";

const settingsOf = (row: Row<"settings">): Settings => ({
  id: row.id,
  workspaceId: row.workspace_id,
  timezone: row.timezone,
  defaultSenderName: row.default_sender_name,
  defaultSenderEmail: row.default_sender_email,
  webhookRetryCount: row.webhook_retry_count,
  apiKeyExpiryDays: row.api_key_expiry_days,
  dkimRotationDays: row.dkim_rotation_days,
  contentRetentionDays: row.content_retention_days,
  bounceAutoSuppress: Boolean(row.bounce_auto_suppress),
  requireVerifiedDomain: Boolean(row.require_verified_domain),
  platformServer: Boolean(row.platform_server),
  trackOpens: Boolean(row.track_opens),
  trackClicks: Boolean(row.track_clicks),
  trackingDetails: Boolean(row.tracking_details),
  trackingTrap: Boolean(row.tracking_trap),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** Columns of settings; Kysely omits those that are `undefined`, as of changes are what stays. */
const columnsOf = (settings: Omit<Settings, "id" | "workspaceId" | "createdAt" | "updatedAt">) => ({
  timezone: settings.timezone,
  default_sender_name: settings.defaultSenderName,
  default_sender_email: settings.defaultSenderEmail,
  webhook_retry_count: settings.webhookRetryCount,
  api_key_expiry_days: settings.apiKeyExpiryDays,
  dkim_rotation_days: settings.dkimRotationDays,
  content_retention_days: settings.contentRetentionDays,
  bounce_auto_suppress: settings.bounceAutoSuppress,
  require_verified_domain: settings.requireVerifiedDomain,
  platform_server: settings.platformServer,
  track_opens: settings.trackOpens,
  track_clicks: settings.trackClicks,
  tracking_details: settings.trackingDetails,
  tracking_trap: settings.trackingTrap,
});

/** Settings, one row per workspace. */
export const createSettingsRepository = (db: Handle, _engine: Engine): SettingsRepository => ({
  async insert(settings) {
    const row = await db
      .insertInto("settings")
      .values({
        workspace_id: settings.workspaceId,
        ...columnsOf(settings),
        created_at: settings.createdAt,
        updated_at: settings.updatedAt,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return settingsOf(row);
  },
  async find(workspaceId) {
    const row = await db
      .selectFrom("settings")
      .selectAll()
      .where("workspace_id", "=", workspaceId)
      .executeTakeFirst();
    return row && settingsOf(row);
  },
  async update(workspaceId, { updatedAt, ...changes }) {
    const row = await db
      .updateTable("settings")
      .set({ ...columnsOf(changes as Settings), updated_at: updatedAt })
      .where("workspace_id", "=", workspaceId)
      .returningAll()
      .executeTakeFirst();
    return row && settingsOf(row);
  },
});
