// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.

import type { Page } from "../calls/paging.ts";
import type { DeliveryView } from "../webhooks/delivery-view.ts";
import type { WebhookView, WebhookWithSecret } from "../webhooks/webhook-view.ts";
import type { CallShapes, NoInput } from "./call-options.ts";

/** What `create` takes. */
export interface CreateWebhookInput {
  /** The URL that events are posted to: https, at most 2,048 characters. */
  url: string;
  /** The types of events that the webhook receives, or `*` for all. */
  events: string[];
  /** Sender addresses or domains: the webhook receives only events of mail from one of them. Empty for all. */
  filters?: string[] | undefined;
}

/** What `get` takes. */
export interface GetWebhookInput {
  /** The webhook's id, a UUID. */
  webhookId: string;
}

/** What `update` takes. */
export interface UpdateWebhookInput {
  /** The webhook's id, a UUID. */
  webhookId: string;
  /** The URL that events are posted to: https, at most 2,048 characters. */
  url?: string | undefined;
  /** The types of events that the webhook receives, or `*` for all. */
  events?: string[] | undefined;
  /** Sender addresses or domains: the webhook receives only events of mail from one of them. Empty for all. */
  filters?: string[] | undefined;
  /** Whether the webhook is active and receives events. */
  isActive?: boolean | undefined;
}

/** What `delete` takes. */
export interface DeleteWebhookInput {
  /** The webhook's id, a UUID. */
  webhookId: string;
}

/** What `rotateSecret` takes. */
export interface RotateWebhookSecretInput {
  /** The webhook's id, a UUID. */
  webhookId: string;
}

/** What `listDeliveries` takes. */
export interface ListDeliveriesInput {
  /** The webhook's id, a UUID. */
  webhookId: string;
  /** Number of the page, counted from 0. Default 0. */
  page?: number | undefined;
  /** Number of items per page, 1 to 100. Default 20. */
  size?: number | undefined;
  /**
   * Cursor, in place of `page`: the `after` of the previous page. New items do not shift the list, and every page
   * costs the same, however deep it is.
   */
  after?: string | undefined;
}

/** What `redeliver` takes. */
export interface RedeliverWebhookInput {
  /** The delivery's id, a UUID. */
  deliveryId: string;
  /** The id of the webhook that the delivery must belong to, a UUID. Default: any webhook of the workspace. */
  webhookId?: string | undefined;
}

/** What `test` takes. */
export interface TestWebhookInput {
  /** The webhook's id, a UUID. */
  webhookId: string;
}

/** Webhooks, which receive events by HTTP. */
export interface WebhooksVerbs<K extends CallShapes = CallShapes> {
  /**
   * Creates a webhook that posts events to a URL. The signing secret is returned only here (service.md, Webhooks;
   * decisions §10).
   *
   * May refuse with `plan_limit_reached`.
   */
  create(this: void, input: CreateWebhookInput, ...call: K["workspace"]): Promise<WebhookWithSecret>;
  /** Lists the workspace's webhooks, newest first (service.md, Webhooks). */
  list(this: void, input?: NoInput, ...call: K["workspace"]): Promise<Page<WebhookView>>;
  /** Returns one webhook, without its secret (decisions §10). */
  get(this: void, input: GetWebhookInput, ...call: K["workspace"]): Promise<WebhookView>;
  /** Changes a webhook. Another URL, or enabling it again, resets its count of failures (decisions §10). */
  update(this: void, input: UpdateWebhookInput, ...call: K["workspace"]): Promise<WebhookView>;
  /**
   * Deletes a webhook with its deliveries (service.md, Webhooks). The deliveries are deleted first, in pieces: after
   * an interrupted deletion the webhook remains without them, and can be deleted again.
   */
  delete(this: void, input: DeleteWebhookInput, ...call: K["workspace"]): Promise<void>;
  /**
   * Rotates a webhook's signing secret and returns the new one, only here. The former one stays valid for 24 h
   * (decisions §10).
   */
  rotateSecret(
    this: void,
    input: RotateWebhookSecretInput,
    ...call: K["workspace"]
  ): Promise<WebhookWithSecret>;
  /** Lists a webhook's deliveries, newest first (decisions §10). */
  listDeliveries(
    this: void,
    input: ListDeliveriesInput,
    ...call: K["workspace"]
  ): Promise<Page<DeliveryView>>;
  /**
   * Queues a delivery that is settled, or waits for its next attempt, to be posted now, with the full number of
   * attempts. One that is due or under way is left unchanged. A pause that the endpoint asked for ends (decisions
   * §10).
   *
   * May refuse with `rate_limited`, `webhook_disabled`.
   */
  redeliver(this: void, input: RedeliverWebhookInput, ...call: K["workspace"]): Promise<DeliveryView>;
  /**
   * Queues a delivery of `webhook.test`, whichever types the webhook subscribes to. A pause that the endpoint asked
   * for ends (decisions §10).
   *
   * May refuse with `rate_limited`, `webhook_disabled`.
   */
  test(this: void, input: TestWebhookInput, ...call: K["workspace"]): Promise<DeliveryView>;
}
