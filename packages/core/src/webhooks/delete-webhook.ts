import { z } from "zod";
import { useCase } from "../calls/use-case.ts";
import { ServiceError } from "../errors.ts";

/** Deletes a webhook with its deliveries; nothing is sent to it any more (service.md, Webhooks). */
export const deleteWebhook = useCase({
  access: "webhooks:write",
  input: z.strictObject({ webhookId: z.uuid().describe("The webhook's id, a UUID.") }),
  async run({ storage, workspace, emit }, { webhookId }): Promise<void> {
    const webhook = await storage.webhooks.delete(workspace.id, webhookId);
    if (webhook === undefined) throw new ServiceError("not_found", { message: "There is no such webhook." });
    emit("webhook.deleted", { metadata: { webhook_id: webhookId, url: webhook.url } });
  },
});
