import { z } from "zod";
import { uuidField } from "../calls/input/uuid-field.ts";
import { useCase } from "../calls/use-case.ts";
import { findWebhookOrThrow, viewWebhook, type WebhookView } from "./webhook-view.ts";

/** Returns one webhook, without its secret (decisions §10). */
export const getWebhook = useCase({
  access: "webhooks:read",
  reads: true,
  input: z.strictObject({ webhookId: uuidField.describe("The webhook's id, a UUID.") }),
  async run({ storage, workspace }, { webhookId }): Promise<WebhookView> {
    return viewWebhook(await findWebhookOrThrow(storage, workspace.id, webhookId));
  },
});
