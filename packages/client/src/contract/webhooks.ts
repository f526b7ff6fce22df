// Printed by `npm run docs:routes` from the table of routes.
import type { PageOf } from "../page-of.ts";
import type { Message, Webhook, WebhookDelivery, WebhookWithSecret } from "./schemas.ts";

/** Lines of the contract about webhooks. */
export interface WebhooksLines {
  /** Create a webhook. */
  "POST /workspaces/current/webhooks": {
    fields: {
      /** The URL that events are posted to: https, at most 2,048 characters. */
      url: string;
      /** The types of events that the webhook receives, or `*` for all. */
      events: (
        | "*"
        | "domain.verified"
        | "domain.warning"
        | "domain.failed"
        | "smtp_server.down"
        | "smtp_server.recovered"
        | "email.queued"
        | "email.sent"
        | "email.delivery_delayed"
        | "email.failed"
        | "email.bounced"
        | "email.complained"
        | "email.suppressed"
        | "email.unsubscribed"
        | "email.opened"
        | "email.clicked"
        | "email.cancelled"
        | "suppression.created"
        | "campaign.started"
        | "campaign.completed"
        | "webhook.test"
      )[];
      /** Sender addresses or domains: the webhook receives only events of mail from one of them. Empty for all. */
      filters?: string[] | undefined;
    };
    reply: WebhookWithSecret;
  };
  /** List webhooks. */
  "GET /workspaces/current/webhooks": {
    fields: Record<never, never>;
    reply: Webhook[];
  };
  /** Read a webhook. */
  "GET /workspaces/current/webhooks/{id}": {
    fields: {
      /** The webhook's id, a UUID. */
      id: string | number;
    };
    reply: Webhook;
  };
  /** Change a webhook. */
  "PUT /workspaces/current/webhooks/{id}": {
    fields: {
      /** The webhook's id, a UUID. */
      id: string | number;
      /** The URL that events are posted to: https, at most 2,048 characters. */
      url?: string | undefined;
      /** The types of events that the webhook receives, or `*` for all. */
      events?:
        | (
            | "*"
            | "domain.verified"
            | "domain.warning"
            | "domain.failed"
            | "smtp_server.down"
            | "smtp_server.recovered"
            | "email.queued"
            | "email.sent"
            | "email.delivery_delayed"
            | "email.failed"
            | "email.bounced"
            | "email.complained"
            | "email.suppressed"
            | "email.unsubscribed"
            | "email.opened"
            | "email.clicked"
            | "email.cancelled"
            | "suppression.created"
            | "campaign.started"
            | "campaign.completed"
            | "webhook.test"
          )[]
        | undefined;
      /** Sender addresses or domains: the webhook receives only events of mail from one of them. Empty for all. */
      filters?: string[] | undefined;
      /** Whether the webhook is active and receives events. */
      is_active?: boolean | undefined;
    };
    reply: Webhook;
  };
  /** Delete a webhook. */
  "DELETE /workspaces/current/webhooks/{id}": {
    fields: {
      /** The webhook's id, a UUID. */
      id: string | number;
    };
    reply: Message;
  };
  /** Rotate a webhook's signing secret. */
  "POST /workspaces/current/webhooks/{id}/rotate-secret": {
    fields: {
      /** The webhook's id, a UUID. */
      id: string | number;
    };
    reply: WebhookWithSecret;
  };
  /** Send a test delivery. */
  "POST /workspaces/current/webhooks/{id}/test": {
    fields: {
      /** The webhook's id, a UUID. */
      id: string | number;
    };
    reply: WebhookDelivery;
  };
  /** List a webhook's deliveries. */
  "GET /workspaces/current/webhooks/{id}/deliveries": {
    fields: {
      /** The webhook's id, a UUID. */
      id: string | number;
      /** Number of the page, counted from 0. Default 0. */
      page?: number | undefined;
      /** Number of items per page, 1 to 100. Default 20. */
      size?: number | undefined;
      /**
       * Cursor, in place of `page`: the `after` of the previous page. New items do not shift the list, and every page
       * costs the same, however deep it is.
       */
      after?: string | undefined;
    };
    reply: PageOf<WebhookDelivery>;
  };
  /** Redeliver a webhook delivery. */
  "POST /workspaces/current/webhooks/{webhookId}/deliveries/{id}/redeliver": {
    fields: {
      /** The id of the webhook that the delivery must belong to, a UUID. Default: any webhook of the workspace. */
      webhookId: string | number;
      /** The delivery's id, a UUID. */
      id: string | number;
    };
    reply: WebhookDelivery;
  };
}
