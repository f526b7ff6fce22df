import { ServiceError } from "../../errors.ts";
import { allows } from "../../permissions.ts";
import type { Repositories, Role, SmtpServer, SmtpServerState } from "../../ports/storage.ts";

const dayMs = 86_400_000;

/** A mail server as people see it: never its password (platform.md P5). Times are ms since the epoch. */
export interface SmtpServerView {
  /** The server's id, a UUID. */
  id: string;
  /** What it is called. */
  name: string;
  /** Its host name or address. */
  host: string;
  /** Its port. */
  port: number;
  /** `tls` from the first byte, `starttls` before anything is said, or `none`. */
  security: SmtpServer["security"];
  /** Empty where there is no login. */
  username: string;
  /** Whether there is a password, which nobody is shown. */
  hasPassword: boolean;
  /** Senders' domains that it takes; empty for any. */
  fromDomains: string[];
  /** Whether it also takes mail from domains that no server of the workspace names. */
  isDefault: boolean;
  /** Whether it is used. */
  isActive: boolean;
  /** Which of several is tried first, 0 to 100: the lowest. */
  priority: number;
  /** Connections at once at the most, of all processes together. */
  maxConnections: number;
  /** E-mails a second at the most; `undefined` for no limit. */
  maxPerSecond: number | undefined;
  /** E-mails an hour at the most; `undefined` for no limit. */
  maxPerHour: number | undefined;
  /** `sender`, or an address. */
  returnPath: string;
  /** `limited`: it takes less than it is handed; `down`: nothing goes there before `downUntil`, and then one mail tries it. */
  state: SmtpServerState;
  /** When it is tried again, ms since the epoch; where it is down. */
  downUntil: number | undefined;
  /** With the server's own words, which are a stranger's; for those who may change the server. */
  lastError: string | undefined;
  /** When it last failed, ms since the epoch. */
  lastErrorAt: number | undefined;
  /** When it last took an e-mail, ms since the epoch. */
  lastSuccessAt: number | undefined;
  /** E-mails that it took in the last 24 hours, by whole hours. */
  sent24h: number;
  /** When it was made, ms since the epoch. */
  createdAt: number;
  /** When it was last changed, ms since the epoch. */
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
