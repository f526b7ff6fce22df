// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.

import type { Page } from "../calls/paging.ts";
import type { Plan, PlanHolder } from "../ports/storage.ts";
import type { AssignedUserPlan, AssignedWorkspacePlan } from "../workspaces/plans/assign-plan.ts";
import type { UserPlan, WorkspacePlan } from "../workspaces/plans/get-assigned-plan.ts";
import type { CallShapes, NoInput } from "./call-options.ts";

/** What `create` takes. */
export interface CreatePlanInput {
  /** The plan's name: unique, 1 to 100 characters on one line. */
  name: string;
  /** A description of at most 1,000 characters. */
  description?: string | undefined;
  /** Whether the plan applies to everyone without an assigned plan. It replaces the previous default plan. */
  isDefault?: boolean | undefined;
  /** Whether the plan can be assigned. Existing assignments of an inactive plan stay. */
  isActive?: boolean | undefined;
  /** Maximum recipients per day (UTC) and workspace. 0 is unlimited. */
  dailyRateLimit?: number | undefined;
  /** Maximum recipients per hour and workspace. 0 is unlimited. */
  hourlyRateLimit?: number | undefined;
  /** Maximum size of an attachment in MB. 0 is unlimited. */
  maxAttachmentSizeMb?: number | undefined;
  /** Maximum recipients of a batch. 0 is unlimited. */
  maxBatchSize?: number | undefined;
  /** Maximum API keys per workspace. 0 is unlimited. */
  maxApiKeys?: number | undefined;
  /** Maximum sending domains per workspace. 0 is unlimited. */
  maxDomains?: number | undefined;
  /** Maximum SMTP servers per workspace. 0 is unlimited. */
  maxSmtpServers?: number | undefined;
  /** Maximum workspaces that a user may own. 0 is unlimited. */
  maxWorkspaces?: number | undefined;
  /** Retention period of the e-mail log in days. 0 is unlimited. */
  emailLogRetentionDays?: number | undefined;
}

/** What `get` takes. */
export interface GetPlanInput {
  /** The plan's number. */
  planId: number;
}

/** What `update` takes. */
export interface UpdatePlanInput {
  /** The plan's number. */
  planId: number;
  /** The plan's name: unique, 1 to 100 characters on one line. */
  name?: string | undefined;
  /** A description of at most 1,000 characters. */
  description?: string | undefined;
  /** Whether the plan applies to everyone without an assigned plan. It replaces the previous default plan. */
  isDefault?: boolean | undefined;
  /** Whether the plan can be assigned. Existing assignments of an inactive plan stay. */
  isActive?: boolean | undefined;
  /** Maximum recipients per day (UTC) and workspace. 0 is unlimited. */
  dailyRateLimit?: number | undefined;
  /** Maximum recipients per hour and workspace. 0 is unlimited. */
  hourlyRateLimit?: number | undefined;
  /** Maximum size of an attachment in MB. 0 is unlimited. */
  maxAttachmentSizeMb?: number | undefined;
  /** Maximum recipients of a batch. 0 is unlimited. */
  maxBatchSize?: number | undefined;
  /** Maximum API keys per workspace. 0 is unlimited. */
  maxApiKeys?: number | undefined;
  /** Maximum sending domains per workspace. 0 is unlimited. */
  maxDomains?: number | undefined;
  /** Maximum SMTP servers per workspace. 0 is unlimited. */
  maxSmtpServers?: number | undefined;
  /** Maximum workspaces that a user may own. 0 is unlimited. */
  maxWorkspaces?: number | undefined;
  /** Retention period of the e-mail log in days. 0 is unlimited. */
  emailLogRetentionDays?: number | undefined;
}

/** What `delete` takes. */
export interface DeletePlanInput {
  /** The plan's number. */
  planId: number;
  /** Whether to delete a plan that is assigned, after unassigning it from workspaces and users. Default false. */
  force?: boolean | undefined;
}

/** What `setDefault` takes. */
export interface SetDefaultPlanInput {
  /** The plan's number. */
  planId: number;
}

/** What `assignToWorkspace` takes. */
export interface AssignPlanToWorkspaceInput {
  /** The workspace's number. */
  workspaceId: number;
  /** The plan's number. */
  planId: number;
}

/** What `getForWorkspace` takes. */
export interface GetWorkspacePlanInput {
  /** The workspace's number. */
  workspaceId: number;
}

/** What `assignToUser` takes. */
export interface AssignPlanToUserInput {
  /** The user's number. */
  userId: number;
  /** The plan's number. */
  planId: number;
}

/** What `getForUser` takes. */
export interface GetUserPlanInput {
  /** The user's number. */
  userId: number;
}

/** What `unassignFromWorkspace` takes. */
export interface UnassignPlanFromWorkspaceInput {
  /** The workspace's number. */
  workspaceId: number;
}

/** What `unassignFromUser` takes. */
export interface UnassignPlanFromUserInput {
  /** The user's number. */
  userId: number;
}

/** What `listHolders` takes. */
export interface ListPlanHoldersInput {
  /** The plan's number. */
  planId: number;
  /** Number of the page, counted from 0. Default 0. */
  page?: number | undefined;
  /** Number of items per page, 1 to 100. Default 20. */
  size?: number | undefined;
  /**
   * Cursor, in place of `page`: the `after` of the previous page. New items do not shift the list, and every page
   * costs the same, however deep it is.
   */
  after?: string | undefined;
}

/** Plans, which set limits, and their assignment to workspaces and users. */
export interface PlansVerbs<K extends CallShapes = CallShapes> {
  /**
   * Creates a plan. It is active and without limits by default (service.md, Plan).
   *
   * May refuse with `plan_name_taken`.
   */
  create(this: void, input: CreatePlanInput, ...call: K["any"]): Promise<Plan>;
  /** Lists all plans, oldest first (service.md, Plans). */
  list(this: void, input?: NoInput, ...call: K["any"]): Promise<Page<Plan>>;
  /** Returns one plan (service.md, Plans). */
  get(this: void, input: GetPlanInput, ...call: K["any"]): Promise<Plan>;
  /**
   * Changes the given fields of a plan. The default plan can't be deactivated (service.md, Plans; decisions §6).
   *
   * May refuse with `default_plan`, `plan_name_taken`.
   */
  update(this: void, input: UpdatePlanInput, ...call: K["any"]): Promise<Plan>;
  /**
   * Deletes a plan. With `force` it is first unassigned from all workspaces and users, in pieces: after an
   * interrupted deletion the plan remains with the rest of them, and can be deleted again. The default plan can't be
   * deleted (decisions §6).
   *
   * May refuse with `default_plan`, `plan_in_use`.
   */
  delete(this: void, input: DeletePlanInput, ...call: K["any"]): Promise<void>;
  /** Makes a plan the default and unsets the previous one (service.md, Plan). */
  setDefault(this: void, input: SetDefaultPlanInput, ...call: K["any"]): Promise<Plan>;
  /** Assigns a plan to a workspace (service.md, Plans). */
  assignToWorkspace(
    this: void,
    input: AssignPlanToWorkspaceInput,
    ...call: K["any"]
  ): Promise<AssignedWorkspacePlan>;
  /** Returns the plan that applies to a workspace, and whether it is assigned or the default (decisions §6). */
  getForWorkspace(this: void, input: GetWorkspacePlanInput, ...call: K["any"]): Promise<WorkspacePlan>;
  /** Assigns a plan to a user. It limits how many workspaces the user may own (decisions §6). */
  assignToUser(this: void, input: AssignPlanToUserInput, ...call: K["any"]): Promise<AssignedUserPlan>;
  /** Returns the plan that applies to a user, and whether it is assigned or the default (decisions §6). */
  getForUser(this: void, input: GetUserPlanInput, ...call: K["any"]): Promise<UserPlan>;
  /**
   * Returns the workspace's own plan, otherwise the default (service.md, Plans).
   *
   * May refuse with `not_found`.
   */
  getCurrent(this: void, input?: NoInput, ...call: K["workspace"]): Promise<Plan>;
  /** Unassigns a workspace's plan, so that the default plan applies again. Does nothing if none is assigned. */
  unassignFromWorkspace(this: void, input: UnassignPlanFromWorkspaceInput, ...call: K["any"]): Promise<void>;
  /** Unassigns a user's plan, so that the default plan applies again. Does nothing if none is assigned. */
  unassignFromUser(this: void, input: UnassignPlanFromUserInput, ...call: K["any"]): Promise<void>;
  /**
   * Lists the workspaces and users that a plan is assigned to, workspaces first. Those that have it only as the
   * default are not included.
   */
  listHolders(this: void, input: ListPlanHoldersInput, ...call: K["any"]): Promise<Page<PlanHolder>>;
}
