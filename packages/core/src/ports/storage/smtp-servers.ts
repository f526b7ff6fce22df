/** Whether a server takes mail: `limited`: less than it is handed; `down`: none till its time is over and one mail has tried it. */
export type SmtpServerState = "up" | "limited" | "down";

/** What is known of how a server does. Written where it changes, so that every process goes by the same. Times are queue time. */
export interface SmtpServerHealth {
  /** Whether it takes mail. */
  state: SmtpServerState;
  /** While it is down: when the next mail may try it. */
  downUntil: number | undefined;
  /** Since when nothing got through. */
  downSince: number | undefined;
  /** How often it was found to be down in a row. */
  downTimes: number;
  /** When the workspace's owner was told that it is down. */
  toldAt: number | undefined;
  /** The last fault with the server's own words; empty for none. */
  lastError: string;
  /** When that was; `undefined` for never. */
  lastErrorAt: number | undefined;
}

/** A mail server of a workspace's own. */
export interface SmtpServer {
  /** The storage's own key, never given out twice: what routes name. */
  row: number;
  /** Names it. */
  id: string;
  /** The workspace's number. */
  workspaceId: number;
  /** What it is called. */
  name: string;
  /** A name or an address. */
  host: string;
  /** From 1 to 65,535. */
  port: number;
  /** TLS from the first byte, TLS by STARTTLS, or none. */
  security: "none" | "starttls" | "tls";
  /** Empty where there is no login. */
  username: string;
  /** Sealed; `undefined` where there is no login. */
  password: string | undefined;
  /** ASCII, lower case; with a full stop in front, what is beneath the domain. Empty: any sender. */
  fromDomains: string[];
  /** Whether it also takes senders that no server of the workspace names. */
  isDefault: boolean;
  /** Whether mail may go through it. */
  isActive: boolean;
  /** 0 to 100, lower first. */
  priority: number;
  /** Over all processes. */
  maxConnections: number;
  /** Messages over all processes; `undefined` for no bound. */
  maxPerSecond: number | undefined;
  /** Messages over all processes; `undefined` for no bound. */
  maxPerHour: number | undefined;
  /** MAIL FROM: `sender`, or an address. */
  returnPath: string;
  /** Counts changes of the settings above. */
  version: number;
  /** How it does. */
  health: SmtpServerHealth;
  /** Counts changes of the health. */
  healthVersion: number;
  /** When it was made, ms since the epoch. */
  createdAt: number;
  /** When it was last changed, ms since the epoch. */
  updatedAt: number;
}

/** What can be set of a server. */
export type SmtpServerSettings = Omit<
  SmtpServer,
  "row" | "id" | "workspaceId" | "version" | "health" | "healthVersion" | "createdAt" | "updatedAt"
>;

/** What sending has to know of a workspace's active server. */
export type SendingServer = Pick<SmtpServer, "row" | "id" | "fromDomains" | "isDefault" | "priority">;

/** What a workspace's mail may go through. */
export interface ServerChoice {
  /** The workspace's number. */
  workspaceId: number;
  /** Its own active servers. */
  servers: SmtpServer[];
  /** Whether the operator's may be used as well. */
  platformServer: boolean;
}

/** Times in µs since the epoch at which messages may be handed to a server, each `interval` after the one before. */
export interface GrantedSlots {
  /** How many were granted. */
  granted: number;
  /** The first of them. */
  first: number;
  /** The first that is not taken. */
  next: number;
}

/** Mail servers of workspaces, how they do, and at which pace they are handed mail. */
export interface SmtpServers {
  /** Throws `UniqueViolation` where the workspace has one of this name. */
  insert(
    server: SmtpServerSettings & Pick<SmtpServer, "id" | "workspaceId" | "createdAt">,
  ): Promise<SmtpServer>;
  /** `undefined` where there is none. */
  find(workspaceId: number, id: string): Promise<SmtpServer | undefined>;
  /** By priority, then the oldest first. */
  list(workspaceId: number): Promise<SmtpServer[]>;
  /** What each workspace's mail may go through, in no order; the servers by priority, then the oldest first. */
  findChoices(workspaceIds: number[]): Promise<ServerChoice[]>;
  /** How many servers the workspace has. */
  count(workspaceId: number): Promise<number>;
  /** Throws `UniqueViolation` where the workspace has another of this name. `health` begins anew with `isMended`. */
  update(
    workspaceId: number,
    id: string,
    changes: Partial<SmtpServerSettings> & { updatedAt: number; isMended?: boolean },
  ): Promise<SmtpServer | undefined>;
  /** Removes one and answers it; `undefined` where there was none. */
  delete(workspaceId: number, id: string): Promise<SmtpServer | undefined>;
  /** Changes the health, unless somebody else has since `version`; whether this call did. */
  changeHealth(row: number, version: number, health: SmtpServerHealth): Promise<boolean>;
  /**
   * Takes up to `count` of the server's times that lie within `within` µs of `now`. Exact, whoever else takes: no time is given out
   * twice.
   */
  takeSlots(
    row: number,
    wanted: { count: number; interval: number; now: number; within: number },
  ): Promise<GrantedSlots>;
  /** Counts e-mails that servers took from this worker. Two workers never wait for each other. */
  countSent(sent: readonly { row: number; count: number }[], worker: string, at: number): Promise<void>;
  /** What servers took since a time, by whole hours, and when they last took anything. */
  activity(
    rows: readonly number[],
    since: number,
  ): Promise<{ row: number; sent: number; lastSuccessAt: number }[]>;
  /** Removes counts from before a time but for each server's last, and all of servers that are gone; how many. */
  deleteCountsBefore(before: number, limit: number): Promise<number>;
}
