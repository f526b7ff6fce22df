import type { Listing, Slice } from "./paging.ts";

/** Limits of a plan; 0 is unlimited (service.md, Plan). */
export interface PlanLimits {
  /** Recipients in a day (UTC) at the most; 0 is no limit. */
  dailyRateLimit: number;
  /** Recipients in an hour (UTC) at the most; 0 is no limit. */
  hourlyRateLimit: number;
  /** MB that a file may have at the most; 0 is no limit but the server's own. */
  maxAttachmentSizeMb: number;
  /** Recipients of a batch at the most; 0 is no limit. */
  maxBatchSize: number;
  /** API keys of a workspace at the most; 0 is no limit. */
  maxApiKeys: number;
  /** Sending domains of a workspace at the most; 0 is no limit. */
  maxDomains: number;
  /** Mail servers of a workspace at the most; 0 is no limit. */
  maxSmtpServers: number;
  /** Workspaces that a user may own at the most; 0 is no limit. */
  maxWorkspaces: number;
  /** Days that the log is kept; 0 is for ever. */
  emailLogRetentionDays: number;
}

/** Limits under a name. */
export interface Plan extends PlanLimits {
  /** The plan's number. */
  id: number;
  /** What it is called. */
  name: string;
  /** What it is for. */
  description: string;
  /** Whether it is in force for whoever has none assigned. */
  isDefault: boolean;
  /** Whether it can be assigned. */
  isActive: boolean;
  /** When it was made, ms since the epoch. */
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
  /** What it is called. */
  name: string;
  /** Of a user. */
  email: string | undefined;
}

/** Plans, and whom they are assigned to. */
export interface Plans {
  /** Never default at first: see `setDefault`. Throws `UniqueViolation` where the name is taken. */
  insert(plan: Omit<Plan, "id" | "isDefault">): Promise<Plan>;
  /** `undefined` where there is none. */
  find(id: number): Promise<Plan | undefined>;
  /** Like `find`; nobody else changes or deletes the plan until the transaction ends. */
  lock(id: number): Promise<Plan | undefined>;
  /** As `lock`, keeping every other plan as well: for a change that may move the default. */
  lockAmongAll(id: number): Promise<Plan | undefined>;
  /** The plan of whoever has none assigned; `undefined` where there is none. */
  findDefault(): Promise<Plan | undefined>;
  /** By id, oldest first. */
  list(): Promise<Plan[]>;
  /** Throws `UniqueViolation` where the name is taken. */
  update(
    id: number,
    changes: Partial<Omit<Plan, "id" | "isDefault" | "createdAt">> & { updatedAt: number },
  ): Promise<Plan | undefined>;
  /** Unsets the former default, then sets this one; at most one is default at any instant. */
  setDefault(id: number, now: number): Promise<Plan | undefined>;
  /** Leaves no default plan. */
  unsetDefault(id: number, now: number): Promise<void>;
  /** How many workspaces and users have the plan assigned. */
  countAssignments(id: number): Promise<{ workspaces: number; users: number }>;
  /** Whom the plan is assigned to: workspaces by id, then users by id. */
  listHolders(id: number, slice: Slice): Promise<Listing<PlanHolder>>;
  /** Unassigns the plan everywhere; how many were. */
  unassignAll(id: number): Promise<{ workspaces: number; users: number }>;
  /** Deletes a plan that no workspace and no user has and that is not the default. */
  delete(id: number): Promise<boolean>;
}

/** What a limit of sending counts over. */
export type UsageWindow = "hour" | "day";

/** Recipients to be charged to the current hour and day. */
export interface UsageRequest {
  /** The workspace's number. */
  workspaceId: number;
  /** How many are to be charged. */
  recipients: number;
  /** The current hour's begin, ms since the epoch, and its limit; 0 is unlimited. */
  hour: { start: number; limit: number };
  /** The current day's begin, ms since the epoch, and its limit; 0 is unlimited. */
  day: { start: number; limit: number };
}

/** Whether recipients fit in the limits, or which limit they pass. */
export type UsageOutcome =
  | { allowed: true }
  | { allowed: false; window: UsageWindow; used: number; limit: number };

/** Counters of accepted recipients. Nothing ever counts rows to decide. */
export interface Usage {
  /**
   * Charges each request in order, if it fits both of its windows; a limit of 0 is unlimited.
   * Exact under concurrency: the counters stay locked until the transaction ends.
   */
  reserve(requests: UsageRequest[]): Promise<UsageOutcome[]>;
  /** Charges requests whatever their limits: for what has none, where nobody needs to wait for anybody's counters. */
  count(requests: UsageRequest[]): Promise<void>;
  /** What has been used in the windows that begin at the given times. */
  find(workspaceId: number, hourStart: number, dayStart: number): Promise<{ hour: number; day: number }>;
  /** Takes back what was charged by `reserve`, in the transaction that did. */
  release(requests: UsageRequest[]): Promise<void>;
  /** What is used in the windows that begin at `start` or later. */
  listFrom(
    workspaceId: number,
    start: number,
  ): Promise<{ window: UsageWindow; start: number; used: number }[]>;
  /** Removes windows that began before a time, at most `limit` rows; how many. */
  deleteBefore(start: number, limit: number): Promise<number>;
}
