import { z } from "zod";
import { type Page, pageOf, paging, sliceOf } from "../../calls/paging.ts";
import { useCase } from "../../calls/use-case.ts";
import type { PlanHolder } from "../../ports/storage.ts";
import { findPlanOrThrow } from "./get-plan.ts";
import { planId } from "./plan-fields.ts";

/** A plan's holders, workspaces before users, without those who have it only as the default. */
export const listPlanHolders = useCase({
  access: "administrator",
  reads: true,
  input: z.strictObject({ planId, ...paging }),
  async run({ storage }, { planId: id, ...asked }): Promise<Page<PlanHolder>> {
    await findPlanOrThrow(storage, id);
    return pageOf(await storage.plans.listHolders(id, sliceOf(asked)), asked, (holder) => holder);
  },
});
