import { orNotFound } from "../../calls/or-not-found.ts";
import { fieldError } from "../../errors.ts";
import type { Plan, Repositories } from "../../ports/storage.ts";

/** A plan that was made the default, and the number of the one that was it before. */
interface NewDefault {
  plan: Plan;
  former: number | null;
}

/** Makes the plan the default and unsets the former one. Refuses an inactive plan (decisions §6). */
export async function makeDefault(
  storage: Pick<Repositories, "plans">,
  id: number,
  now: number,
): Promise<NewDefault> {
  const former = await storage.plans.findDefault();
  const plan = orNotFound(await storage.plans.setDefault(id, now), `plan ${id}`);
  // Checked after the change, when no other call can deactivate the plan any more.
  if (!plan.isActive) throw fieldError("planId", "is an inactive plan, which can't be the default");
  return { plan, former: former?.id ?? null };
}
