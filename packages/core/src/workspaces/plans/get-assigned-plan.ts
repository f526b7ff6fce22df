import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import type { Plan } from "../../ports/storage.ts";
import { type EffectivePlan, getEffectivePlan } from "./effective-plan.ts";

/** The plan that applies to a workspace. */
export interface WorkspacePlan extends EffectivePlan {
  /** The workspace's number. */
  workspaceId: number;
}

/** The plan that applies to a user. */
export interface UserPlan extends EffectivePlan {
  /** The user's number. */
  userId: number;
}

/** Returns the plan that applies to a workspace, and whether it is assigned or the default (decisions §6). */
export const getWorkspacePlan = useCase({
  access: "administrator",
  reads: true,
  input: z.strictObject({
    workspaceId: z.int().positive("must be a workspace's number").describe("The workspace's number."),
  }),
  async run({ storage }, { workspaceId }): Promise<WorkspacePlan> {
    const workspace = await storage.workspaces.find(workspaceId);
    if (workspace === undefined)
      throw new ServiceError("not_found", { message: `There is no workspace ${workspaceId}.` });
    return { workspaceId, ...(await getEffectivePlan(storage, workspace)) };
  },
});

/** Returns the plan that applies to a user, and whether it is assigned or the default (decisions §6). */
export const getUserPlan = useCase({
  access: "administrator",
  reads: true,
  input: z.strictObject({
    userId: z.int().positive("must be a user's number").describe("The user's number."),
  }),
  async run({ storage }, { userId }): Promise<UserPlan> {
    const user = await storage.users.find(userId);
    if (user === undefined) throw new ServiceError("not_found", { message: `There is no user ${userId}.` });
    return { userId, ...(await getEffectivePlan(storage, user)) };
  },
});

/** Returns the workspace's own plan, otherwise the default (service.md, Plans). */
export const getCurrentPlan = useCase({
  access: "plan:read",
  refusals: ["not_found"],
  reads: true,
  input: z.strictObject({}),
  async run({ storage, workspace: { id } }): Promise<Plan> {
    const workspace = await storage.workspaces.find(id);
    if (workspace === undefined)
      throw new ServiceError("not_found", { message: "There is no such workspace." });
    return (await getEffectivePlan(storage, workspace)).plan;
  },
});
