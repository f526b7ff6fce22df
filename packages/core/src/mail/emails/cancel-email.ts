import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { senderOf, tellWebhooks } from "../../webhooks/tell-webhooks.ts";
import { viewEmail } from "./email-view.ts";

/** Takes an e-mail back that still waits (decisions §7). */
export const cancelEmail = useCase({
  access: "api_key",
  input: z.strictObject({ emailId: z.uuid().describe("The e-mail's id, a UUID.") }),
  async run({ storage, workspace, runtime, now, emit, wake }, { emailId }) {
    if ((await storage.emails.find(workspace.id, emailId, now)) === undefined)
      throw new ServiceError("not_found");
    if (!(await storage.emails.cancel(workspace.id, emailId, now))) throw new ServiceError("not_cancellable");
    const email = await storage.emails.find(workspace.id, emailId, now);
    if (email === undefined) throw new ServiceError("not_found");
    emit("email.cancelled", { metadata: { email_id: emailId } });
    const told = await tellWebhooks(runtime, storage, [
      {
        type: "email.cancelled",
        workspaceId: workspace.id,
        emailId,
        sender: senderOf(email.from),
        at: now,
        data: { subject: email.subject, tags: email.tags, metadata: email.metadata },
      },
    ]);
    if (told > 0) wake("webhooks");
    return viewEmail(email);
  },
});
