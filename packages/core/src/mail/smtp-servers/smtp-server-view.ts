import { orNotFound } from "../../calls/or-not-found.ts";
import { ServiceError } from "../../errors.ts";
import { allows } from "../../permissions.ts";
import type { Repositories, Role, SmtpServer, SmtpServerState } from "../../ports/storage.ts";

const dayMs = 86_400_000;

/** A mail server as shown to callers, always without its password (platform.md P5). Times are ms since the epoch. */
export interface SmtpServerView {
  /** The server's id, a UUID. */
  id: string;
  /** The name. */
  name: string;
  /** Host name or IP address. */
  host: string;
  /** Port number. */
  port: number;
  /** `tls` from the first byte, `starttls` before the login, or `none`. */
  security: SmtpServer["security"];
  /** User name of the login; empty without a login. */
  username: string;
  /** Whether a password is stored. It is never shown. */
  hasPassword: boolean;
  /** Senders' domains that it accepts; empty for any. */
  fromDomains: string[];
  /** Whether it also accepts mail from domains that no server of the workspace lists. */
  isDefault: boolean;
  /** Whether it is used. */
  isActive: boolean;
  /** Order of attempts, 0 to 100, lowest first. */
  priority: number;
  /** Maximum simultaneous connections of all processes together. */
  maxConnections: number;
  /** Maximum e-mails per second; `undefined` for no limit. */
  maxPerSecond: number | undefined;
  /** Maximum e-mails per hour; `undefined` for no limit. */
  maxPerHour: number | undefined;
  /** `sender`, `verp`, or an address. */
  returnPath: string;
  /**
   * `limited`: it accepts less than it is given; `down`: it is not used before `downUntil`, after which a single mail
   * tries it.
   */
  state: SmtpServerState;
  /** Time of the next try if it is down, ms since the epoch. */
  downUntil: number | undefined;
  /** Last error, with the server's own untrusted text; only for callers who may change the server. */
  lastError: string | undefined;
  /** Time of the last error, ms since the epoch. */
  lastErrorAt: number | undefined;
  /** Time when it last accepted an e-mail, ms since the epoch. */
  lastSuccessAt: number | undefined;
  /** E-mails that it accepted in the last 24 hours, by whole hours. */
  sent24h: number;
  /** Time of creation, ms since the epoch. */
  createdAt: number;
  /** Time of the last change, ms since the epoch. */
  updatedAt: number;
}

/** Returns servers as the role may see them, with their recent activity. */
export async function viewSmtpServers(
  { smtpServers }: Pick<Repositories, "smtpServers">,
  servers: readonly SmtpServer[],
  { role, now }: { role: Role | undefined; now: number },
): Promise<SmtpServerView[]> {
  const rows = servers.map(({ row }) => row);
  const activity = new Map((await smtpServers.activity(rows, now - dayMs)).map((one) => [one.row, one]));
  const mayManage = role === undefined || allows(role, "smtp_servers:write");
  return servers.map((server) => {
    const {
      row: _,
      workspaceId: __,
      password,
      version: ___,
      health,
      healthVersion: ____,
      ...settings
    } = server;
    const did = activity.get(server.row);
    return {
      ...settings,
      hasPassword: password !== undefined,
      state: health.state,
      downUntil: health.downUntil,
      lastError: mayManage && health.lastError !== "" ? health.lastError : undefined,
      lastErrorAt: health.lastErrorAt,
      lastSuccessAt: did?.lastSuccessAt,
      sent24h: did?.sent ?? 0,
    };
  });
}

/** Returns one server as the role may see it. */
export async function viewSmtpServer(
  storage: Pick<Repositories, "smtpServers">,
  server: SmtpServer,
  viewer: { role: Role | undefined; now: number },
): Promise<SmtpServerView> {
  const [view] = await viewSmtpServers(storage, [server], viewer);
  if (view === undefined) throw new ServiceError("not_found");
  return view;
}

/** Context that binds a sealed password to its server. */
export const passwordContext = (serverId: string): string => `smtp_servers:password:${serverId}`;

/** Returns the workspace's server; throws `not_found`. */
export async function findSmtpServerOrThrow(
  { smtpServers }: Pick<Repositories, "smtpServers">,
  workspaceId: number,
  id: string,
): Promise<SmtpServer> {
  return orNotFound(await smtpServers.find(workspaceId, id), "such mail server");
}
