import { createEvent } from "../../../calls/outbox.ts";
import type { Campaign, Repositories } from "../../../ports/storage.ts";
import type { Runtime } from "../../../service/runtime.ts";
import { deliveriesTo } from "../../../webhooks/deliveries-to.ts";
import type { EventOrigin } from "../../email-events.ts";
import type { Notifications } from "../../notifications.ts";

/**
 * Makes the event for a campaign's start, end or pause, and for start and end also the webhook deliveries (service.md,
 * Webhook deliveries).
 */
export async function campaignNotifications(
  runtime: Pick<Runtime, "newId" | "queueClock">,
  storage: Pick<Repositories, "webhooks">,
  campaign: Pick<Campaign, "id" | "workspaceId" | "name">,
  type: "campaign.started" | "campaign.completed" | "campaign.paused",
  { now, metadata = {}, ...origin }: EventOrigin & { now: number; metadata?: Record<string, unknown> },
): Promise<Notifications> {
  const { id, workspaceId, name } = campaign;
  const event = createEvent(
    type,
    { metadata: { campaign_id: id, name, ...metadata } },
    { ...origin, workspaceId, now },
  );
  const webhooks = type === "campaign.paused" ? [] : await storage.webhooks.listActive([workspaceId]);
  const payload = () =>
    JSON.stringify({ event: type, campaign_id: id, name, timestamp: new Date(now).toISOString() });
  return {
    events: [event],
    deliveries: deliveriesTo(runtime, webhooks, { workspaceId, type, at: now, payload }),
  };
}
