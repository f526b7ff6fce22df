import { ServiceError } from "../errors.ts";
import type { Repositories, Webhook } from "../ports/storage.ts";

/** A webhook as the API shows it, without its secret (decisions §10). Times are ms since the epoch. */
export interface WebhookView {
  /** The webhook's id, a UUID. */
  id: string;
  /** The URL that deliveries are posted to. */
  url: string;
  /** Subscribed event types, or `*` for all. */
  events: string[];
  /** Addresses and domains of senders; empty for all senders. */
  filters: string[];
  /** Whether it receives events. */
  isActive: boolean;
  /** When it was created, ms since the epoch. */
  createdAt: number;
  /** When it was last changed, ms since the epoch. */
  updatedAt: number;
}

/** A webhook with its new signing secret. */
export interface WebhookWithSecret extends WebhookView {
  /** The secret that signs deliveries, `whsec_…` (Standard Webhooks). It is shown only here. */
  secret: string;
}

export const viewWebhook = (webhook: Webhook): WebhookView => ({
  id: webhook.id,
  url: webhook.url,
  events: webhook.events,
  filters: webhook.filters,
  isActive: webhook.isActive,
  createdAt: webhook.createdAt,
  updatedAt: webhook.updatedAt,
});

/** The context that binds a sealed secret to its webhook. */
export const secretContext = (webhookId: string): string => `webhooks:secret:${webhookId}`;

/** Returns the workspace's webhook. Throws `not_found`. */
export async function findWebhookOrThrow(
  storage: Pick<Repositories, "webhooks">,
  workspaceId: number,
  id: string,
): Promise<Webhook> {
  const webhook = await storage.webhooks.find(workspaceId, id);
  if (webhook === undefined) throw new ServiceError("not_found", { message: "There is no such webhook." });
  return webhook;
}
