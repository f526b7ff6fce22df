import { z } from "zod";
import { onlyPage, type Page } from "../../calls/paging.ts";
import { useCase } from "../../calls/use-case.ts";
import type { Plan } from "../../ports/storage.ts";

/** Lists all plans, oldest first (service.md, Plans). */
export const listPlans = useCase({
  access: "administrator",
  reads: true,
  input: z.strictObject({}),
  run: async ({ storage }): Promise<Page<Plan>> => onlyPage(await storage.plans.list()),
});
