import { z } from "zod";
import { orTaken } from "../../calls/or-taken.ts";
import { useCase } from "../../calls/use-case.ts";
import { fieldError } from "../../errors.ts";
import type { Plan, Repositories } from "../../ports/storage.ts";
import { unlimited } from "./effective-plan.ts";
import { makeDefault } from "./make-default.ts";
import { planFields } from "./plan-fields.ts";

const input = z.strictObject({
  ...planFields,
  name: planFields.name.unwrap().describe("The plan's name: unique, 1 to 100 characters on one line."),
});

/** Creates a plan. It is active and without limits by default (service.md, Plan). */
export const createPlan = useCase({
  access: "administrator",
  refusals: ["plan_name_taken"],
  input,
  async run({ storage, now, emit }, fields): Promise<Plan> {
    if (fields.isDefault && fields.isActive === false)
      throw fieldError("isDefault", "must not be true for an inactive plan");
    const plan = await insert(storage, fields, now);
    const moved = fields.isDefault ? await makeDefault(storage, plan.id, now) : undefined;
    emit("plan.created", {
      metadata: { plan_id: plan.id, name: plan.name, former_default: moved?.former ?? null },
    });
    return moved?.plan ?? plan;
  },
});

async function insert(
  storage: Pick<Repositories, "plans">,
  { isDefault: _, ...given }: z.output<typeof input>,
  now: number,
): Promise<Plan> {
  const { description = "", isActive = true, name, ...limits } = given;
  const set = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
  const row = { ...unlimited, ...set, name, description, isActive, createdAt: now, updatedAt: now };
  return await orTaken(storage.plans.insert(row), "plan_name_taken");
}
