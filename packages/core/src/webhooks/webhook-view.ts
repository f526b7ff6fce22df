import { orNotFound } from "../calls/or-not-found.ts";
import { ServiceError } from "../errors.ts";
import type { Repositories, Webhook } from "../ports/storage.ts";
import { redactUrl } from "./rules/redact-url.ts";

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
  return orNotFound(await storage.webhooks.find(workspaceId, id), "such webhook");
}

/**
 * Returns the workspace's webhook that gets events. Throws `not_found`, and `webhook_disabled` for a disabled one: what is
 * queued for it fails without an attempt.
 */
export async function findActiveWebhookOrThrow(
  storage: Pick<Repositories, "webhooks">,
  workspaceId: number,
  id: string,
): Promise<Webhook> {
  const webhook = await findWebhookOrThrow(storage, workspaceId, id);
  if (!webhook.isActive)
    throw new ServiceError("webhook_disabled", {
      // The text of a refusal goes into the log.
      message: `The webhook ${redactUrl(webhook.url)} is disabled: nothing is posted to it.`,
      details: { webhook_id: id },
    });
  return webhook;
}

/**
 * Ends the pause that an endpoint asked for, as a person posts to it now, and returns whether there was one. Call it
 * after changes to deliveries: a worker locks in that order.
 */
export async function endPause(
  storage: Pick<Repositories, "webhooks">,
  { id, pausedUntil, pace }: Webhook,
  now: number,
): Promise<boolean> {
  if (pausedUntil === undefined || pausedUntil <= now) return false;
  await storage.webhooks.noteOutcome(id, { failures: 0, pausedUntil: undefined, pace });
  return true;
}
