import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";

/** Every plan, oldest first (service.md, Plans). */
export const listPlans = useCase({
  access: "administrator",
  reads: true,
  input: z.strictObject({}),
  run: ({ storage }) => storage.plans.list(),
});
