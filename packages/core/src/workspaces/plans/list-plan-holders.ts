import { z } from "zod";
import { type Page, pagesOf, paging } from "../../calls/paging.ts";
import { useCase } from "../../calls/use-case.ts";
import type { PlanHolder } from "../../ports/storage.ts";
import { findPlanOrThrow } from "./get-plan.ts";
import { planId } from "./plan-fields.ts";

const pages = pagesOf("plan holders");

/**
 * Lists the workspaces and users that a plan is assigned to, workspaces first. Those that have it only as the default
 * are not included.
 */
export const listPlanHolders = useCase({
  access: "administrator",
  reads: true,
  input: z.strictObject({ planId, ...paging }),
  async run({ storage }, { planId: id, ...asked }): Promise<Page<PlanHolder>> {
    await findPlanOrThrow(storage, id);
    return pages.pageOf(await storage.plans.listHolders(id, pages.sliceOf(asked)), asked, (holder) => holder);
  },
});
