import { ServiceError } from "../errors.ts";
import type { Repositories, Webhook } from "../ports/storage.ts";

/** A webhook as people see it, without its secret (decisions §10). Times are ms since the epoch. */
export interface WebhookView {
  /** The webhook's id, a UUID. */
  id: string;
  /** Where deliveries are posted to. */
  url: string;
  /** Event types, or `*`. */
  events: string[];
  /** Sender addresses and domains; empty lets every sender pass. */
  filters: string[];
  /** Whether it is told of anything. */
  isActive: boolean;
  /** When it was made, ms since the epoch. */
  createdAt: number;
  /** When it was last changed, ms since the epoch. */
  updatedAt: number;
}

/** A webhook with its new signing secret. */
export interface WebhookWithSecret extends WebhookView {
  /** What deliveries are signed with, `whsec_…` (Standard Webhooks); shown this once. */
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

/** Ties a sealed secret to its webhook. */
export const secretContext = (webhookId: string): string => `webhooks:secret:${webhookId}`;

/** The workspace's webhook; throws `not_found`. */
export async function findWebhookOrThrow(
  storage: Pick<Repositories, "webhooks">,
  workspaceId: number,
  id: string,
): Promise<Webhook> {
  const webhook = await storage.webhooks.find(workspaceId, id);
  if (webhook === undefined) throw new ServiceError("not_found", { message: "There is no such webhook." });
  return webhook;
}
