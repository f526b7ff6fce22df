import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { findPlanOrThrow, lockPlanOrThrow } from "./get-plan.ts";
import { planId } from "./plan-fields.ts";

/** Maximum workspaces and users that one transaction unassigns: other transactions run between two of them. */
const piece = 1_000;

/**
 * Deletes a plan. With `force` it is first unassigned from all workspaces and users, in pieces: after an interrupted
 * deletion the plan remains with the rest of them, and can be deleted again. The default plan can't be deleted
 * (decisions §6).
 */
export const deletePlan = useCase({
  access: "administrator",
  refusals: ["default_plan", "plan_in_use"],
  preparesInTurn: true,
  input: z.strictObject({
    planId,
    force: z
      .boolean()
      .default(false)
      .describe(
        "Whether to delete a plan that is assigned, after unassigning it from workspaces and users. Default false.",
      ),
  }),
  async prepare(
    { storage, piece: inTurn },
    { planId: id, force },
  ): Promise<{ workspaces: number; users: number }> {
    const all = { workspaces: 0, users: 0 };
    if (!force) return all;
    if ((await findPlanOrThrow(storage, id)).isDefault) throw new ServiceError("default_plan");
    for (let isMore = true; isMore; ) {
      const some = await inTurn(() => storage.plans.unassignSome(id, piece));
      all.workspaces += some.workspaces;
      all.users += some.users;
      isMore = some.workspaces === piece || some.users === piece;
    }
    return all;
  },
  async run({ storage, emit }, { planId: id, force }, before): Promise<void> {
    // Those that were assigned it meanwhile. Holders are locked before plans, as by whoever assigns one.
    const late = force ? await storage.plans.unassignAll(id) : { workspaces: 0, users: 0 };
    // Whoever is just assigning it, deleting it or making it the default comes first.
    const plan = await lockPlanOrThrow(storage, id);
    if (plan.isDefault) throw new ServiceError("default_plan");
    const rest = force ? await storage.plans.unassignAll(id) : await storage.plans.countAssignments(id);
    const assigned = {
      workspaces: before.workspaces + late.workspaces + rest.workspaces,
      users: before.users + late.users + rest.users,
    };
    const inUse = !force && assigned.workspaces + assigned.users > 0;
    // The statement itself leaves a plan that is assigned or the default.
    if (inUse || !(await storage.plans.delete(id)))
      throw new ServiceError("plan_in_use", inUse ? { details: { ...assigned } } : {});
    const unassigned = force ? assigned : { workspaces: 0, users: 0 };
    emit("plan.deleted", { metadata: { plan_id: id, name: plan.name, force, unassigned } });
  },
});
