/**
 * State of a server: `limited` if it accepts less than it is given; `down` if it accepts nothing until a time has
 * passed and one mail was sent on trial.
 */
export type SmtpServerState = "up" | "limited" | "down";

/** Health of a server. It is written on every change, so that all processes use the same. Times are queue time. */
export interface SmtpServerHealth {
  /** The state. */
  state: SmtpServerState;
  /** While it is down: when the next mail is sent on trial. */
  downUntil: number | undefined;
  /** While a mail is on trial: when another one may take its place. */
  trialUntil: number | undefined;
  /** Time since which nothing was delivered. */
  downSince: number | undefined;
  /** Number of consecutive times that it was found down. */
  downTimes: number;
  /** When the workspace's owner was notified that it is down. */
  toldAt: number | undefined;
  /** The last fault with the server's own words; empty if there was none. */
  lastError: string;
  /** Time of the last fault; `undefined` for never. */
  lastErrorAt: number | undefined;
}

/** A workspace's own mail server. */
export interface SmtpServer {
  /** The storage's own key, never reused, which routes contain. */
  row: number;
  /** Its unique id. */
  id: string;
  /** The workspace's number. */
  workspaceId: number;
  /** The name. */
  name: string;
  /** Host name or IP address. */
  host: string;
  /** Port, 1 to 65,535. */
  port: number;
  /** TLS from the first byte, TLS by STARTTLS, or none. */
  security: "none" | "starttls" | "tls";
  /** User name; empty if there is no login. */
  username: string;
  /** Encrypted password; `undefined` if there is no login. */
  password: string | undefined;
  /** Domains of senders in ASCII and lower case; with a leading full stop, subdomains. Empty for any sender. */
  fromDomains: string[];
  /** Whether it also sends for senders that no server of the workspace names. */
  isDefault: boolean;
  /** Whether it may be used. */
  isActive: boolean;
  /** 0 to 100; lower numbers are used first. */
  priority: number;
  /** Maximum connections of all processes together. */
  maxConnections: number;
  /** Maximum messages per second, of all processes together; `undefined` for no limit. */
  maxPerSecond: number | undefined;
  /** Maximum messages per hour, of all processes together; `undefined` for no limit. */
  maxPerHour: number | undefined;
  /** MAIL FROM: `sender`, `verp`, or an address. */
  returnPath: string;
  /** Number of changes of the settings above. */
  version: number;
  /** Its health. */
  health: SmtpServerHealth;
  /** Number of changes of the health. */
  healthVersion: number;
  /** When it was created, ms since the epoch. */
  createdAt: number;
  /** When it was last changed, ms since the epoch. */
  updatedAt: number;
}

/** The health of a server without faults. */
export const healthySmtpServer: SmtpServerHealth = {
  state: "up",
  downUntil: undefined,
  trialUntil: undefined,
  downSince: undefined,
  downTimes: 0,
  toldAt: undefined,
  lastError: "",
  lastErrorAt: undefined,
};

/** Settings of a server. */
export type SmtpServerSettings = Omit<
  SmtpServer,
  "row" | "id" | "workspaceId" | "version" | "health" | "healthVersion" | "createdAt" | "updatedAt"
>;

/** The fields of a workspace's active server that sending needs. */
export type SendingServer = Pick<
  SmtpServer,
  "row" | "id" | "username" | "fromDomains" | "isDefault" | "priority"
>;

/** Servers that a workspace's mail may use. */
export interface ServerChoice {
  /** The workspace's number. */
  workspaceId: number;
  /** Its own active servers. */
  servers: SmtpServer[];
  /** Whether the operator's may be used as well. */
  platformServer: boolean;
}

/** Times in µs since the epoch at which messages may be sent to a server, at distances of `interval`. */
export interface GrantedSlots {
  /** Number of granted times. */
  granted: number;
  /** The first granted time. */
  first: number;
  /** The first time that is not granted. */
  next: number;
}

/** Workspaces' own mail servers, their health and their rates. */
export interface SmtpServers {
  /** Inserts a server. Throws `UniqueViolation` if the workspace has one of this name. */
  insert(
    server: SmtpServerSettings & Pick<SmtpServer, "id" | "workspaceId" | "createdAt">,
  ): Promise<SmtpServer>;
  /** Finds one; `undefined` if there is none. */
  find(workspaceId: number, id: string): Promise<SmtpServer | undefined>;
  /** Lists servers by priority, then oldest first. */
  list(workspaceId: number): Promise<SmtpServer[]>;
  /**
   * Returns the servers that each workspace's mail may use, in no order; a workspace's own by priority, then oldest
   * first.
   */
  findChoices(workspaceIds: number[]): Promise<ServerChoice[]>;
  /** Counts the workspace's servers. */
  count(workspaceId: number): Promise<number>;
  /**
   * Changes a server, and its health if there is one. Throws `UniqueViolation` if the workspace has another of this
   * name.
   */
  update(
    workspaceId: number,
    id: string,
    changes: Partial<SmtpServerSettings> & { updatedAt: number; health?: SmtpServerHealth },
  ): Promise<SmtpServer | undefined>;
  /** Deletes one and returns it; `undefined` if there was none. */
  delete(workspaceId: number, id: string): Promise<SmtpServer | undefined>;
  /** Changes the health, unless it changed since `version`. Returns whether this call did. */
  changeHealth(row: number, version: number, health: SmtpServerHealth): Promise<boolean>;
  /**
   * Takes up to `count` of the server's times within `within` µs of `now`. Exact under concurrency: no time is granted
   * twice. Times that a clock took which was more than seconds ahead are free again.
   */
  takeSlots(
    row: number,
    wanted: { count: number; interval: number; now: number; within: number },
  ): Promise<GrantedSlots>;
  /** Counts e-mails that servers accepted from this worker. Workers do not wait for each other. */
  countSent(sent: readonly { row: number; count: number }[], worker: string, at: number): Promise<void>;
  /** Returns, for each server, the e-mails accepted since a time, counted by whole hours, and when it last accepted one. */
  activity(
    rows: readonly number[],
    since: number,
  ): Promise<{ row: number; sent: number; lastSuccessAt: number }[]>;
  /**
   * Deletes counts from before a time except each server's last one, and all counts of deleted servers. Returns their
   * number.
   */
  deleteCountsBefore(before: number, limit: number): Promise<number>;
}
