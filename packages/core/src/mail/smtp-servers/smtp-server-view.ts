import { ServiceError } from "../../errors.ts";
import { allows } from "../../permissions.ts";
import type { Repositories, Role, SmtpServer, SmtpServerState } from "../../ports/storage.ts";

const dayMs = 86_400_000;

/** A mail server as people see it: never its password (platform.md P5). Times are ms since the epoch. */
export interface SmtpServerView {
  id: string;
  name: string;
  host: string;
  port: number;
  security: SmtpServer["security"];
  /** Empty where there is no login. */
  username: string;
  hasPassword: boolean;
  fromDomains: string[];
  isDefault: boolean;
  isActive: boolean;
  priority: number;
  maxConnections: number;
  maxPerSecond: number | undefined;
  maxPerHour: number | undefined;
  /** `sender`, or an address. */
  returnPath: string;
  /** `limited`: it takes less than it is handed; `down`: nothing goes there before `downUntil`, and then one mail tries it. */
  state: SmtpServerState;
  downUntil: number | undefined;
  /** With the server's own words, which are a stranger's; for those who may change the server. */
  lastError: string | undefined;
  lastErrorAt: number | undefined;
  lastSuccessAt: number | undefined;
  /** E-mails that it took in the last 24 hours, by whole hours. */
  sent24h: number;
  createdAt: number;
  updatedAt: number;
}

/** Servers as the role may see them, with what they did lately. */
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

/** One server as the role may see it. */
export async function viewSmtpServer(
  storage: Pick<Repositories, "smtpServers">,
  server: SmtpServer,
  viewer: { role: Role | undefined; now: number },
): Promise<SmtpServerView> {
  const [view] = await viewSmtpServers(storage, [server], viewer);
  if (view === undefined) throw new ServiceError("not_found");
  return view;
}

/** Ties a sealed password to its server. */
export const passwordContext = (serverId: string): string => `smtp_servers:password:${serverId}`;

/** The workspace's server; throws `not_found`. */
export async function findSmtpServerOrThrow(
  { smtpServers }: Pick<Repositories, "smtpServers">,
  workspaceId: number,
  id: string,
): Promise<SmtpServer> {
  const server = await smtpServers.find(workspaceId, id);
  if (server === undefined) throw new ServiceError("not_found", { message: "There is no such mail server." });
  return server;
}
