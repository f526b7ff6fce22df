import { ServiceError } from "../errors.ts";
import type { Repositories, Webhook } from "../ports/storage.ts";

/** A webhook as people see it, without its secret (decisions §10). Times are ms since the epoch. */
export interface WebhookView {
  id: string;
  url: string;
  /** Event types, or `*`. */
  events: string[];
  /** Sender addresses and domains; empty lets every sender pass. */
  filters: string[];
  isActive: boolean;
  createdAt: number;
  updatedAt: number;
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
