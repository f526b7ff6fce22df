import type {
  SmtpServer,
  SmtpServerHealth,
  SmtpServerSettings,
  SmtpServerState,
} from "@posthorn/core/storage";
import type { Updateable } from "kysely";
import { present } from "../../../present.ts";
import type { Database, Row } from "../../../tables.ts";
import { parseTexts } from "../emails/rows.ts";

/** Converts a row of `smtp_servers` for the port. */
export const toSmtpServer = (row: Row<"smtp_servers">): SmtpServer => ({
  row: row.id,
  id: row.uuid,
  workspaceId: row.workspace_id,
  name: row.name,
  host: row.host,
  port: row.port,
  security: row.security as SmtpServer["security"],
  username: row.username,
  password: present(row.password),
  fromDomains: parseTexts(row.from_domains),
  isDefault: Boolean(row.is_default),
  isActive: Boolean(row.is_active),
  priority: row.priority,
  maxConnections: row.max_connections,
  maxPerSecond: row.max_per_kilosecond === null ? undefined : row.max_per_kilosecond / 1000,
  maxPerHour: present(row.max_per_hour),
  returnPath: row.return_path,
  version: row.version,
  health: {
    state: row.state as SmtpServerState,
    downUntil: present(row.down_until),
    trialUntil: present(row.trial_until),
    downSince: present(row.down_since),
    downTimes: row.down_times,
    toldAt: present(row.told_at),
    lastError: row.last_error,
    lastErrorAt: present(row.last_error_at),
  },
  healthVersion: row.health_version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** Columns of all settings. */
export const settingColumns = (settings: SmtpServerSettings) => ({
  name: settings.name,
  host: settings.host,
  port: settings.port,
  security: settings.security,
  username: settings.username,
  password: settings.password ?? null,
  from_domains: JSON.stringify(settings.fromDomains),
  is_default: settings.isDefault,
  is_active: settings.isActive,
  priority: settings.priority,
  max_connections: settings.maxConnections,
  max_per_kilosecond: inKiloseconds(settings.maxPerSecond),
  max_per_hour: settings.maxPerHour ?? null,
  return_path: settings.returnPath,
});

const inKiloseconds = (perSecond: number | undefined): number | null =>
  perSecond === undefined ? null : Math.round(perSecond * 1000);

/** Columns of the given settings; a key present with `undefined` clears its column, if that is nullable. */
export const changedColumns = (
  changes: Partial<SmtpServerSettings>,
): Updateable<Database["smtp_servers"]> => ({
  ...(changes.name !== undefined && { name: changes.name }),
  ...(changes.host !== undefined && { host: changes.host }),
  ...(changes.port !== undefined && { port: changes.port }),
  ...(changes.security !== undefined && { security: changes.security }),
  ...(changes.username !== undefined && { username: changes.username }),
  ...("password" in changes && { password: changes.password ?? null }),
  ...(changes.fromDomains !== undefined && { from_domains: JSON.stringify(changes.fromDomains) }),
  ...(changes.isDefault !== undefined && { is_default: changes.isDefault }),
  ...(changes.isActive !== undefined && { is_active: changes.isActive }),
  ...(changes.priority !== undefined && { priority: changes.priority }),
  ...(changes.maxConnections !== undefined && { max_connections: changes.maxConnections }),
  ...("maxPerSecond" in changes && { max_per_kilosecond: inKiloseconds(changes.maxPerSecond) }),
  ...("maxPerHour" in changes && { max_per_hour: changes.maxPerHour ?? null }),
  ...(changes.returnPath !== undefined && { return_path: changes.returnPath }),
});

/** Columns of the health. */
export const healthColumns = (health: SmtpServerHealth) => ({
  state: health.state,
  down_until: health.downUntil ?? null,
  trial_until: health.trialUntil ?? null,
  down_since: health.downSince ?? null,
  down_times: health.downTimes,
  told_at: health.toldAt ?? null,
  last_error: health.lastError,
  last_error_at: health.lastErrorAt ?? null,
});
