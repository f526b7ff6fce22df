import type { EventType } from "../events.ts";
import type { Email, NewEvent, NewWebhookDelivery } from "../ports/storage.ts";
import type { EmailEventData } from "../webhooks/rules/email-event-payload.ts";

/** Something that happened to an e-mail: accepted, deferred, refused, settled, cancelled. */
export interface EmailEvent {
  type: EventType;
  email: Pick<Email, "id" | "workspaceId" | "campaignId" | "from" | "subject" | "tags" | "metadata">;
  /** ms since the epoch. */
  at: number;
  /** Metadata of the event besides the e-mail's id. */
  metadata?: Record<string, unknown>;
  /** Data for webhooks besides the e-mail's own fields. */
  data?: Omit<Partial<EmailEventData>, "subject" | "tags" | "metadata">;
}

/** Events and webhook deliveries for an event of an e-mail, written in the transaction of the e-mail's new state. */
export interface Notifications {
  events: NewEvent[];
  deliveries: NewWebhookDelivery[];
}
