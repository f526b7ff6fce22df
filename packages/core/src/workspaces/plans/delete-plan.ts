import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { lockPlanOrThrow } from "./get-plan.ts";
import { planId } from "./plan-fields.ts";

/**
 * Deletes a plan. With `force` it is first unassigned from all workspaces and users. The default plan can't be deleted
 * (decisions §6).
 */
export const deletePlan = useCase({
  access: "administrator",
  refusals: ["default_plan", "plan_in_use"],
  input: z.strictObject({
    planId,
    force: z
      .boolean()
      .default(false)
      .describe(
        "Whether to delete a plan that is assigned, after unassigning it from workspaces and users. Default false.",
      ),
  }),
  async run({ storage, emit }, { planId: id, force }): Promise<void> {
    // Holders are locked before plans, as by whoever assigns one.
    const unassignedBefore = force ? await storage.plans.unassignAll(id) : { workspaces: 0, users: 0 };
    // Whoever is just assigning it, deleting it or making it the default comes first.
    const plan = await lockPlanOrThrow(storage, id);
    if (plan.isDefault) throw new ServiceError("default_plan");
    const rest = force ? await storage.plans.unassignAll(id) : await storage.plans.countAssignments(id);
    const assigned = {
      workspaces: unassignedBefore.workspaces + rest.workspaces,
      users: unassignedBefore.users + rest.users,
    };
    const inUse = !force && assigned.workspaces + assigned.users > 0;
    // The statement itself leaves a plan that is assigned or the default.
    if (inUse || !(await storage.plans.delete(id)))
      throw new ServiceError("plan_in_use", inUse ? { details: { ...assigned } } : {});
    const unassigned = force ? assigned : { workspaces: 0, users: 0 };
    emit("plan.deleted", { metadata: { plan_id: id, name: plan.name, force, unassigned } });
  },
});
