import { z } from "zod";
import { uuidField } from "../calls/input/uuid-field.ts";
import { type Page, pagesOf, paging } from "../calls/paging.ts";
import { useCase } from "../calls/use-case.ts";
import { type DeliveryView, viewDelivery } from "./delivery-view.ts";
import { findWebhookOrThrow } from "./webhook-view.ts";

const pages = pagesOf("webhook deliveries");

/** Lists a webhook's deliveries, newest first (decisions §10). */
export const listDeliveries = useCase({
  access: "webhooks:read",
  reads: true,
  input: z.strictObject({ webhookId: uuidField.describe("The webhook's id, a UUID."), ...paging }),
  async run({ storage, workspace }, { webhookId, ...asked }): Promise<Page<DeliveryView>> {
    const { pausedUntil } = await findWebhookOrThrow(storage, workspace.id, webhookId);
    const found = await storage.webhookDeliveries.list(workspace.id, webhookId, pages.sliceOf(asked));
    return pages.pageOf(found, asked, (delivery) => viewDelivery(delivery, workspace.role, pausedUntil));
  },
});
