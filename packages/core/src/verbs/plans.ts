// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.
import type { OutputOf } from "../use-case.ts";
import type {
  assignPlanToUser,
  assignPlanToWorkspace,
  unassignPlanFromUser,
  unassignPlanFromWorkspace,
} from "../use-cases/plans/assign-plan.ts";
import type { createPlan } from "../use-cases/plans/create-plan.ts";
import type { deletePlan } from "../use-cases/plans/delete-plan.ts";
import type { getCurrentPlan, getUserPlan, getWorkspacePlan } from "../use-cases/plans/get-assigned-plan.ts";
import type { getPlan } from "../use-cases/plans/get-plan.ts";
import type { listPlanHolders } from "../use-cases/plans/list-plan-holders.ts";
import type { listPlans } from "../use-cases/plans/list-plans.ts";
import type { setDefaultPlan } from "../use-cases/plans/set-default-plan.ts";
import type { updatePlan } from "../use-cases/plans/update-plan.ts";
import type { CallShapes, NoInput } from "./call-options.ts";

/** What `create` takes. */
export interface CreatePlanInput {
  name: string;
  description?: string | undefined;
  isDefault?: boolean | undefined;
  isActive?: boolean | undefined;
  dailyRateLimit?: number | undefined;
  hourlyRateLimit?: number | undefined;
  maxAttachmentSizeMb?: number | undefined;
  maxBatchSize?: number | undefined;
  maxApiKeys?: number | undefined;
  maxDomains?: number | undefined;
  maxSmtpServers?: number | undefined;
  maxWorkspaces?: number | undefined;
  emailLogRetentionDays?: number | undefined;
}

/** What `get` takes. */
export interface GetPlanInput {
  planId: number;
}

/** What `update` takes. */
export interface UpdatePlanInput {
  planId: number;
  name?: string | undefined;
  description?: string | undefined;
  isDefault?: boolean | undefined;
  isActive?: boolean | undefined;
  dailyRateLimit?: number | undefined;
  hourlyRateLimit?: number | undefined;
  maxAttachmentSizeMb?: number | undefined;
  maxBatchSize?: number | undefined;
  maxApiKeys?: number | undefined;
  maxDomains?: number | undefined;
  maxSmtpServers?: number | undefined;
  maxWorkspaces?: number | undefined;
  emailLogRetentionDays?: number | undefined;
}

/** What `delete` takes. */
export interface DeletePlanInput {
  planId: number;
  force?: boolean | undefined;
}

/** What `setDefault` takes. */
export interface SetDefaultPlanInput {
  planId: number;
}

/** What `assignToWorkspace` takes. */
export interface AssignPlanToWorkspaceInput {
  workspaceId: number;
  planId: number;
}

/** What `getForWorkspace` takes. */
export interface GetWorkspacePlanInput {
  workspaceId: number;
}

/** What `assignToUser` takes. */
export interface AssignPlanToUserInput {
  userId: number;
  planId: number;
}

/** What `getForUser` takes. */
export interface GetUserPlanInput {
  userId: number;
}

/** What `unassignFromWorkspace` takes. */
export interface UnassignPlanFromWorkspaceInput {
  workspaceId: number;
}

/** What `unassignFromUser` takes. */
export interface UnassignPlanFromUserInput {
  userId: number;
}

/** What `listHolders` takes. */
export interface ListPlanHoldersInput {
  planId: number;
  page?: number | undefined;
  size?: number | undefined;
}

/** Plans: limits, and whom they govern. */
export interface PlansVerbs<K extends CallShapes = CallShapes> {
  /** Makes a plan, active and without limits where nothing else is said (service.md, Plan). */
  create(input: CreatePlanInput, ...call: K["any"]): Promise<OutputOf<typeof createPlan>>;
  /** Every plan, oldest first (service.md, Plans). */
  list(input?: NoInput, ...call: K["any"]): Promise<OutputOf<typeof listPlans>>;
  /** One plan (service.md, Plans). */
  get(input: GetPlanInput, ...call: K["any"]): Promise<OutputOf<typeof getPlan>>;
  /** Changes the given fields of a plan; the default plan can't be deactivated (service.md, Plans; decisions §6). */
  update(input: UpdatePlanInput, ...call: K["any"]): Promise<OutputOf<typeof updatePlan>>;
  /**
   * Deletes a plan; with `force` it is first unassigned from every workspace and user. The default plan stays
   * (decisions §6).
   */
  delete(input: DeletePlanInput, ...call: K["any"]): Promise<OutputOf<typeof deletePlan>>;
  /** Makes a plan the default; the previous default is unset (service.md, Plan). */
  setDefault(input: SetDefaultPlanInput, ...call: K["any"]): Promise<OutputOf<typeof setDefaultPlan>>;
  /** Puts a workspace under a plan (service.md, Plans). */
  assignToWorkspace(
    input: AssignPlanToWorkspaceInput,
    ...call: K["any"]
  ): Promise<OutputOf<typeof assignPlanToWorkspace>>;
  /** The plan in force for a workspace, and where it comes from (decisions §6). */
  getForWorkspace(
    input: GetWorkspacePlanInput,
    ...call: K["any"]
  ): Promise<OutputOf<typeof getWorkspacePlan>>;
  /** Puts a user under a plan, which governs how many workspaces the user may own (decisions §6). */
  assignToUser(input: AssignPlanToUserInput, ...call: K["any"]): Promise<OutputOf<typeof assignPlanToUser>>;
  /** The plan in force for a user, and where it comes from (decisions §6). */
  getForUser(input: GetUserPlanInput, ...call: K["any"]): Promise<OutputOf<typeof getUserPlan>>;
  /** The plan of the workspace: its own, otherwise the default (service.md, Plans). */
  getCurrent(input?: NoInput, ...call: K["workspace"]): Promise<OutputOf<typeof getCurrentPlan>>;
  /** Puts a workspace back under the default plan: for the command line. */
  unassignFromWorkspace(
    input: UnassignPlanFromWorkspaceInput,
    ...call: K["any"]
  ): Promise<OutputOf<typeof unassignPlanFromWorkspace>>;
  /** Puts a user back under the default plan: for the command line. */
  unassignFromUser(
    input: UnassignPlanFromUserInput,
    ...call: K["any"]
  ): Promise<OutputOf<typeof unassignPlanFromUser>>;
  /**
   * Whom a plan is assigned to, workspaces before users; who is under it only as the default is not among them. For
   * the command line.
   */
  listHolders(input: ListPlanHoldersInput, ...call: K["any"]): Promise<OutputOf<typeof listPlanHolders>>;
}
