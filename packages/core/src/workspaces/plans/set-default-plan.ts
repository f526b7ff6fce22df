import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import type { Plan } from "../../ports/storage.ts";
import { lockPlanOrThrow } from "./get-plan.ts";
import { makeDefault } from "./make-default.ts";
import { planId } from "./plan-fields.ts";

/** Makes a plan the default and unsets the previous one (service.md, Plan). */
export const setDefaultPlan = useCase({
  access: "administrator",
  input: z.strictObject({ planId }),
  async run({ storage, now, emit }, { planId: id }): Promise<Plan> {
    // Whoever is just moving the default comes first: of two calls that make the same plan the default, one changes it.
    const plan = await lockPlanOrThrow(storage, id);
    if (plan.isDefault) return plan;
    const { plan: set, former } = await makeDefault(storage, id, now);
    emit("plan.default_set", { metadata: { plan_id: id, from: former } });
    return set;
  },
});
