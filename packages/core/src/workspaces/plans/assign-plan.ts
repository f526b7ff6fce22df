import { z } from "zod";
import { orNotFound } from "../../calls/or-not-found.ts";
import { useCase } from "../../calls/use-case.ts";
import { fieldError } from "../../errors.ts";
import { userOrThrow } from "../../identity/users/user-or-throw.ts";
import type { Plan, Repositories, Workspace } from "../../ports/storage.ts";
import { planId } from "./plan-fields.ts";

const workspaceId = z.int().positive("must be a workspace's number").describe("The workspace's number.");
const userId = z.int().positive("must be a user's number").describe("The user's number.");

/** An assigned plan. */
interface AssignedPlan {
  /** The plan's number. */
  planId: number;
  /** The plan with its limits. */
  plan: Plan;
}

/** A workspace with the plan that was assigned to it. */
export interface AssignedWorkspacePlan extends AssignedPlan {
  /** The workspace's number. */
  workspaceId: number;
}

/** A user with the plan that was assigned to them. */
export interface AssignedUserPlan extends AssignedPlan {
  /** The user's number. */
  userId: number;
}

/** Assigns a plan to a workspace (service.md, Plans). */
export const assignPlanToWorkspace = useCase({
  access: "administrator",
  input: z.strictObject({ workspaceId, planId }),
  locks: ({ workspaceId }) => ({ workspaceId }),
  async run({ storage, now, emit }, input): Promise<AssignedWorkspacePlan> {
    const workspace = await lockWorkspace(storage, input.workspaceId);
    const plan = await findAssignable(storage, input.planId, workspace.planId);
    if (workspace.planId !== plan.id) {
      await storage.workspaces.update(workspace.id, { planId: plan.id, updatedAt: now });
      emit("workspace.plan_assigned", {
        workspaceId: workspace.id,
        metadata: { from: workspace.planId ?? null, to: plan.id },
      });
    }
    return { workspaceId: workspace.id, planId: plan.id, plan };
  },
});

/** Assigns a plan to a user. It limits how many workspaces the user may own (decisions §6). */
export const assignPlanToUser = useCase({
  access: "administrator",
  input: z.strictObject({ userId, planId }),
  locks: ({ userId }) => ({ userId }),
  async run({ storage, emit }, input): Promise<AssignedUserPlan> {
    const user = await userOrThrow(storage.users.lock(input.userId), input.userId);
    const plan = await findAssignable(storage, input.planId, user.planId);
    if (user.planId !== plan.id) {
      await storage.users.update(user.id, { planId: plan.id });
      emit("user.plan_assigned", {
        metadata: { user_id: user.id, from: user.planId ?? null, to: plan.id },
      });
    }
    return { userId: user.id, planId: plan.id, plan };
  },
});

/** Unassigns a workspace's plan, so that the default plan applies again. Does nothing if none is assigned. */
export const unassignPlanFromWorkspace = useCase({
  access: "administrator",
  input: z.strictObject({ workspaceId }),
  locks: ({ workspaceId }) => ({ workspaceId }),
  async run({ storage, now, emit }, input): Promise<void> {
    const workspace = await lockWorkspace(storage, input.workspaceId);
    if (workspace.planId === undefined) return;
    await storage.workspaces.update(workspace.id, { planId: undefined, updatedAt: now });
    emit("workspace.plan_assigned", {
      workspaceId: workspace.id,
      metadata: { from: workspace.planId, to: null },
    });
  },
});

/** Unassigns a user's plan, so that the default plan applies again. Does nothing if none is assigned. */
export const unassignPlanFromUser = useCase({
  access: "administrator",
  input: z.strictObject({ userId }),
  locks: ({ userId }) => ({ userId }),
  async run({ storage, emit }, input): Promise<void> {
    const user = await userOrThrow(storage.users.lock(input.userId), input.userId);
    if (user.planId === undefined) return;
    await storage.users.update(user.id, { planId: undefined });
    emit("user.plan_assigned", { metadata: { user_id: user.id, from: user.planId, to: null } });
  },
});

/** An inactive plan can't be assigned; existing assignments stay (decisions §6). */
async function findAssignable(
  storage: Pick<Repositories, "plans">,
  id: number,
  current: number | undefined,
): Promise<Plan> {
  // The row stays locked until the end of the transaction, so that a plan that is being deleted is not assigned.
  const plan = orNotFound(await storage.plans.lock(id), `plan ${id}`);
  if (!plan.isActive && plan.id !== current)
    throw fieldError("planId", "is an inactive plan, which can't be assigned");
  return plan;
}

const lockWorkspace = async (storage: Pick<Repositories, "workspaces">, id: number): Promise<Workspace> =>
  orNotFound(await storage.workspaces.lock(id), `workspace ${id}`);
