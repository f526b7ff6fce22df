import { z } from "zod";
import { uuidField } from "../calls/input/uuid-field.ts";
import { orNotFound } from "../calls/or-not-found.ts";
import { useCase } from "../calls/use-case.ts";
import { redactUrl } from "./rules/redact-url.ts";

/** Number of deliveries that one transaction removes: other transactions run between two of them. */
const piece = 1_000;

/**
 * Deletes a webhook with its deliveries (service.md, Webhooks). The deliveries are deleted first, in pieces: after an
 * interrupted deletion the webhook remains without them, and can be deleted again.
 */
export const deleteWebhook = useCase({
  access: "webhooks:write",
  preparesInTurn: true,
  input: z.strictObject({ webhookId: uuidField.describe("The webhook's id, a UUID.") }),
  async prepare({ storage, workspace }, { webhookId }): Promise<void> {
    for (let after: number | undefined = 0; after !== undefined; )
      after = (await storage.webhookDeliveries.removeSome(workspace.id, webhookId, piece, after)).next;
  },
  async run({ storage, workspace, emit }, { webhookId }): Promise<void> {
    const webhook = orNotFound(await storage.webhooks.delete(workspace.id, webhookId), "such webhook");
    emit("webhook.deleted", { metadata: { webhook_id: webhookId, url: redactUrl(webhook.url) } });
  },
});
