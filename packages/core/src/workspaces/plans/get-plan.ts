import { z } from "zod";
import { orNotFound } from "../../calls/or-not-found.ts";
import { useCase } from "../../calls/use-case.ts";
import type { Plan, Repositories } from "../../ports/storage.ts";
import { planId } from "./plan-fields.ts";

/** Returns the plan. Throws `not_found`. */
export async function findPlanOrThrow(storage: Pick<Repositories, "plans">, id: number): Promise<Plan> {
  return orNotFound(await storage.plans.find(id), `plan ${id}`);
}

/** Returns the plan and locks all plans, for a change that may move the default. Throws `not_found`. */
export async function lockPlanOrThrow(storage: Pick<Repositories, "plans">, id: number): Promise<Plan> {
  return orNotFound(await storage.plans.lockAmongAll(id), `plan ${id}`);
}

/** Returns one plan (service.md, Plans). */
export const getPlan = useCase({
  access: "administrator",
  reads: true,
  input: z.strictObject({ planId }),
  run: ({ storage }, input): Promise<Plan> => findPlanOrThrow(storage, input.planId),
});
