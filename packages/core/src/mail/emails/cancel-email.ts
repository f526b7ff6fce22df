import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { viewKept } from "./email-view.ts";

/** Takes an e-mail back that still waits (decisions §7). */
export const cancelEmail = useCase({
  access: "api_key",
  input: z.strictObject({ emailId: z.uuid().describe("The e-mail's id, a UUID.") }),
  async run({ storage, workspace, now, happen }, { emailId }) {
    if ((await storage.emails.find(workspace.id, emailId, now)) === undefined)
      throw new ServiceError("not_found");
    if (!(await storage.emails.cancel(workspace.id, emailId, now))) throw new ServiceError("not_cancellable");
    const email = await storage.emails.find(workspace.id, emailId, now);
    if (email === undefined) throw new ServiceError("not_found");
    happen({ type: "email.cancelled", email, at: now });
    return viewKept(storage, email);
  },
});
