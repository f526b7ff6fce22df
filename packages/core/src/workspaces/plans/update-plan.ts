import { z } from "zod";
import { changesOf } from "../../calls/changes-of.ts";
import { atLeastOne } from "../../calls/input/at-least-one.ts";
import { orNotFound } from "../../calls/or-not-found.ts";
import { orTaken } from "../../calls/or-taken.ts";
import { useCase } from "../../calls/use-case.ts";
import { fieldError, ServiceError } from "../../errors.ts";
import type { Plan } from "../../ports/storage.ts";
import { lockPlanOrThrow } from "./get-plan.ts";
import { makeDefault } from "./make-default.ts";
import { planFields, planId } from "./plan-fields.ts";

type Fields = Omit<Partial<Plan>, "isDefault">;

/** Changes the given fields of a plan. The default plan can't be deactivated (service.md, Plans; decisions §6). */
export const updatePlan = useCase({
  access: "administrator",
  refusals: ["default_plan", "plan_name_taken"],
  input: z.strictObject({ planId, ...planFields }).apply(atLeastOne, "planId"),
  async run({ storage, now, emit }, { planId: id, isDefault, ...given }): Promise<Plan> {
    // The lock makes concurrent changes take turns: changes to different fields must both last, and either may go on to
    // move the default.
    const before = await lockPlanOrThrow(storage, id);
    const fields = Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    ) as Fields;
    const changes = changesOf(before, { ...fields, ...(isDefault === undefined ? {} : { isDefault }) });
    if (Object.keys(changes).length === 0) return before;
    if (isDefault && (fields.isActive ?? before.isActive) === false) {
      if (before.isDefault) throw new ServiceError("default_plan");
      throw fieldError("isDefault", "must not be true for an inactive plan");
    }
    if (isDefault === false && before.isDefault) await storage.plans.unsetDefault(now);
    const change = orTaken(storage.plans.update(id, { ...fields, updatedAt: now }), "plan_name_taken");
    const updated = orNotFound(await change, `plan ${id}`);
    // Checked after the change, when no other call can make the plan the default any more.
    if (updated.isDefault && !updated.isActive) throw new ServiceError("default_plan");
    const moved = isDefault && !updated.isDefault ? await makeDefault(storage, id, now) : undefined;
    emit("plan.updated", {
      metadata: { plan_id: id, changes, former_default: moved?.former ?? null },
    });
    return moved?.plan ?? updated;
  },
});
