import type { Listing, Slice } from "./paging.ts";

/** A subscription to events; its secrets are sealed. */
export interface Webhook {
  id: string;
  workspaceId: number;
  url: string;
  events: string[];
  filters: string[];
  isActive: boolean;
  /** Sealed. */
  secret: string;
  /** Sealed; valid beside `secret` until `formerSecretUntil`. */
  formerSecret: string | undefined;
  formerSecretUntil: number | undefined;
  /** Deliveries exhausted in a row. */
  exhaustedInARow: number;
  createdAt: number;
  updatedAt: number;
}

/** Subscriptions to events. */
export interface Webhooks {
  insert(
    webhook: Omit<Webhook, "formerSecret" | "formerSecretUntil" | "exhaustedInARow" | "updatedAt">,
  ): Promise<Webhook>;
  find(workspaceId: number, id: string): Promise<Webhook | undefined>;
  /** Newest first. */
  list(workspaceId: number): Promise<Webhook[]>;
  /** The active ones of each workspace, in no order. */
  listActive(workspaceIds: number[]): Promise<Webhook[]>;
  update(
    workspaceId: number,
    id: string,
    changes: Partial<
      Pick<
        Webhook,
        | "url"
        | "events"
        | "filters"
        | "isActive"
        | "secret"
        | "formerSecret"
        | "formerSecretUntil"
        | "exhaustedInARow"
      >
    > & { updatedAt: number },
  ): Promise<Webhook | undefined>;
  delete(workspaceId: number, id: string): Promise<Webhook | undefined>;
  /** Counts an exhausted delivery, or sets the count back; the count then. */
  countExhausted(id: string, exhausted: boolean): Promise<number>;
}

/** How far a delivery is. */
export type DeliveryStatus = "pending" | "delivered" | "failed";

/** A delivery, and what its last attempt came to. */
export interface WebhookDelivery {
  id: string;
  webhookId: string;
  workspaceId: number;
  event: string;
  /** The raw body, the same at every attempt. */
  payload: string;
  status: DeliveryStatus;
  attempts: number;
  responseStatus: number | undefined;
  /** At most 4 KiB, hostile. */
  responseBody: string;
  durationMs: number | undefined;
  error: string;
  /** When the next attempt is due. */
  dueAt: number | undefined;
  createdAt: number;
  settledAt: number | undefined;
}

/** A delivery to be queued. */
export type NewWebhookDelivery = Pick<
  WebhookDelivery,
  "id" | "webhookId" | "workspaceId" | "event" | "payload" | "createdAt"
>;

/** A delivery in a worker's hands, with all that an attempt takes. */
export interface ClaimedDelivery {
  delivery: WebhookDelivery;
  webhook: Webhook;
  retryCount: number;
  fence: number;
}

/** What came of one attempt at a delivery. */
export interface DeliveryResult {
  id: string;
  fence: number;
  responseStatus: number | undefined;
  responseBody: string;
  durationMs: number;
  error: string;
  next: { status: "delivered" | "failed"; settledAt: number } | { retryAt: number };
}

/** Deliveries to webhooks, which are their own queue. */
export interface WebhookDeliveries {
  /** Due at once. */
  insert(deliveries: NewWebhookDelivery[]): Promise<void>;
  /** `undefined` as webhook finds one of any. */
  find(workspaceId: number, webhookId: string | undefined, id: string): Promise<WebhookDelivery | undefined>;
  /** Newest first. */
  list(workspaceId: number, webhookId: string, slice: Slice): Promise<Listing<WebhookDelivery>>;
  /** As `Emails.claimDue`; at most `perWebhook` of one webhook, counting those in `busy`, so that a slow endpoint holds up no other. */
  claimDue(claim: {
    limit: number;
    perWebhook: number;
    busy: string[];
    now: number;
    leaseMs: number;
  }): Promise<ClaimedDelivery[]>;
  /** Records attempts whose fence still fits; the ids that were. */
  settle(results: DeliveryResult[]): Promise<string[]>;
  /** Gives leases back unused: due at `now`, without counting the attempt. */
  release(leases: { id: string; fence: number }[], now: number): Promise<void>;
  /** Makes a settled delivery due again with its attempts set back; whether there was one. */
  redeliver(workspaceId: number, webhookId: string, id: string, now: number): Promise<boolean>;
  nextDueAt(): Promise<number | undefined>;
  deleteBefore(before: number, limit: number): Promise<number>;
}
