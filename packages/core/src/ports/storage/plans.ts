import type { Listing, Slice } from "./paging.ts";

/** Limits of a plan; 0 is unlimited (service.md, Plan). */
export interface PlanLimits {
  /** Maximum recipients per day (UTC); 0 for no limit. */
  dailyRateLimit: number;
  /** Maximum recipients per hour (UTC); 0 for no limit. */
  hourlyRateLimit: number;
  /** Maximum size of a file in MB; 0 for no limit but the server's own. */
  maxAttachmentSizeMb: number;
  /** Maximum recipients of a batch; 0 for no limit. */
  maxBatchSize: number;
  /** Maximum API keys per workspace; 0 for no limit. */
  maxApiKeys: number;
  /** Maximum sending domains per workspace; 0 for no limit. */
  maxDomains: number;
  /** Maximum mail servers per workspace; 0 for no limit. */
  maxSmtpServers: number;
  /** Maximum workspaces that a user may own; 0 for no limit. */
  maxWorkspaces: number;
  /** Retention period of the log in days; 0 for ever. */
  emailLogRetentionDays: number;
}

/** A plan: named limits. */
export interface Plan extends PlanLimits {
  /** The plan's number. */
  id: number;
  /** The name. */
  name: string;
  /** The purpose, as text for people. */
  description: string;
  /** Whether it applies to everyone without an assigned plan. */
  isDefault: boolean;
  /** Whether it can be assigned. */
  isActive: boolean;
  /** When it was created, ms since the epoch. */
  createdAt: number;
  /** When it was last changed, ms since the epoch. */
  updatedAt: number;
}

/** A workspace or a user that a plan is assigned to. */
export interface PlanHolder {
  /** Whether it is a workspace or a user. */
  kind: "workspace" | "user";
  /** The number of the workspace or user. */
  id: number;
  /** The name. */
  name: string;
  /** The user's address; `undefined` for a workspace. */
  email: string | undefined;
}

/** Plans and their assignments. */
export interface Plans {
  /** Inserts a plan, which is not the default: see `setDefault`. Throws `UniqueViolation` if the name is taken. */
  insert(plan: Omit<Plan, "id" | "isDefault">): Promise<Plan>;
  /** Finds one; `undefined` if there is none. */
  find(id: number): Promise<Plan | undefined>;
  /** Finds a plan and locks it: no other transaction changes or deletes it until this one ends. */
  lock(id: number): Promise<Plan | undefined>;
  /** Finds a plan and locks all plans, for a change that may move the default. */
  lockAmongAll(id: number): Promise<Plan | undefined>;
  /** Returns the default plan; `undefined` if there is none. */
  findDefault(): Promise<Plan | undefined>;
  /** Lists plans by id, oldest first. */
  list(): Promise<Plan[]>;
  /** Changes a plan. Throws `UniqueViolation` if the name is taken. */
  update(
    id: number,
    changes: Partial<Omit<Plan, "id" | "isDefault" | "createdAt">> & { updatedAt: number },
  ): Promise<Plan | undefined>;
  /** Makes a plan the default and unsets the former one; at most one is the default at any time. */
  setDefault(id: number, now: number): Promise<Plan | undefined>;
  /** Unsets the default plan, so that there is none. */
  unsetDefault(now: number): Promise<void>;
  /** Counts the workspaces and users that the plan is assigned to. */
  countAssignments(id: number): Promise<{ workspaces: number; users: number }>;
  /** Lists the holders of the plan: workspaces by id, then users by id. */
  listHolders(id: number, slice: Slice): Promise<Listing<PlanHolder>>;
  /** Unassigns the plan from some of its holders, at most `limit` of either kind. Returns the number of holders. */
  unassignSome(id: number, limit: number): Promise<{ workspaces: number; users: number }>;
  /** Unassigns the plan everywhere. Returns the number of holders. */
  unassignAll(id: number): Promise<{ workspaces: number; users: number }>;
  /** Deletes a plan that is not assigned and not the default. */
  delete(id: number): Promise<boolean>;
}

/** Window of a sending limit. */
export type UsageWindow = "hour" | "day";

/** Recipients to count for the current hour and day. */
export interface UsageRequest {
  /** The workspace's number. */
  workspaceId: number;
  /** Number of recipients to count. */
  recipients: number;
  /** Beginning of the current hour, ms since the epoch, and its limit; 0 is unlimited. */
  hour: { start: number; limit: number };
  /** Beginning of the current day, ms since the epoch, and its limit; 0 is unlimited. */
  day: { start: number; limit: number };
}

/** Whether recipients are within the limits, or the limit that they exceed. */
export type UsageOutcome =
  | { allowed: true }
  | { allowed: false; window: UsageWindow; used: number; limit: number };

/** Counters of accepted recipients. Decisions never count rows. */
export interface Usage {
  /**
   * Counts each request, in order, if it is within both of its windows; a limit of 0 is unlimited. Exact under
   * concurrency: the counters stay locked until the transaction ends.
   */
  reserve(requests: UsageRequest[]): Promise<UsageOutcome[]>;
  /**
   * Announces a large request outside the transaction that will reserve it. A storage shared by processes keeps room for
   * it, if there is any, so that the reservation locks no counters; it decides nothing, and a request that never comes
   * takes nothing from the quota. Returns whether other transactions can charge the workspace until that one ends; else
   * they wait for it.
   */
  setAside(request: UsageRequest): Promise<boolean>;
  /**
   * Counts requests without checking limits, for workspaces that have none: concurrent calls need not wait for each
   * other.
   */
  count(requests: UsageRequest[]): Promise<void>;
  /** Returns the counts of the windows that begin at the given times. */
  find(workspaceId: number, hourStart: number, dayStart: number): Promise<{ hour: number; day: number }>;
  /** Takes back the counts of a `reserve` in the same transaction. */
  release(requests: UsageRequest[]): Promise<void>;
  /** Returns the counts of windows that begin at or after `start`. */
  listFrom(
    workspaceId: number,
    start: number,
  ): Promise<{ window: UsageWindow; start: number; used: number }[]>;
  /** Deletes windows that began before a time, at most `limit` rows. Returns their number. */
  deleteBefore(start: number, limit: number): Promise<number>;
}
