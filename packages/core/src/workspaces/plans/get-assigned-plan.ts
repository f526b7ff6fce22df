import { z } from "zod";
import { orNotFound } from "../../calls/or-not-found.ts";
import { useCase } from "../../calls/use-case.ts";
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
    const workspace = orNotFound(await storage.workspaces.find(workspaceId), `workspace ${workspaceId}`);
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
    const user = orNotFound(await storage.users.find(userId), `user ${userId}`);
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
    const workspace = orNotFound(await storage.workspaces.find(id), "such workspace");
    return (await getEffectivePlan(storage, workspace)).plan;
  },
});
