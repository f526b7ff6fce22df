import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import type { Plan, Repositories } from "../../ports/storage.ts";
import { planId } from "./plan-fields.ts";

/** Returns the plan. Throws `not_found`. */
export async function findPlanOrThrow(storage: Pick<Repositories, "plans">, id: number): Promise<Plan> {
  return planOrThrow(await storage.plans.find(id), id);
}

/** Returns the plan and locks all plans, for a change that may move the default. Throws `not_found`. */
export async function lockPlanOrThrow(storage: Pick<Repositories, "plans">, id: number): Promise<Plan> {
  return planOrThrow(await storage.plans.lockAmongAll(id), id);
}

function planOrThrow(plan: Plan | undefined, id: number): Plan {
  if (plan === undefined) throw new ServiceError("not_found", { message: `There is no plan ${id}.` });
  return plan;
}

/** Returns one plan (service.md, Plans). */
export const getPlan = useCase({
  access: "administrator",
  reads: true,
  input: z.strictObject({ planId }),
  run: ({ storage }, input): Promise<Plan> => findPlanOrThrow(storage, input.planId),
});
