import { z } from "zod";
import { useCase } from "../calls/use-case.ts";
import { routeField } from "./route-field.ts";

/** Delivers e-mails again, or those of one route; whether it was held. */
export const resumeQueue = useCase({
  access: "administrator",
  input: z.strictObject({ route: routeField }),
  async run({ storage, emit, wake }, { route }): Promise<{ changed: boolean }> {
    const changed = await storage.emailQueue.unpark(route);
    if (!changed) return { changed };
    emit("queue.resumed", { metadata: { route } });
    wake("emails");
    return { changed };
  },
});
