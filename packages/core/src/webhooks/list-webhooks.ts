import { z } from "zod";
import { onlyPage, type Page } from "../calls/paging.ts";
import { useCase } from "../calls/use-case.ts";
import { viewWebhook, type WebhookView } from "./webhook-view.ts";

/** Lists the workspace's webhooks, newest first (service.md, Webhooks). */
export const listWebhooks = useCase({
  access: "webhooks:read",
  reads: true,
  input: z.strictObject({}),
  async run({ storage, workspace }): Promise<Page<WebhookView>> {
    return onlyPage((await storage.webhooks.list(workspace.id)).map(viewWebhook));
  },
});
