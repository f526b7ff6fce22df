import type { Listing, Slice } from "./paging.ts";

/** A subscription to events; its secrets are sealed. */
export interface Webhook {
  /** Names it. */
  id: string;
  /** The workspace's number. */
  workspaceId: number;
  /** Where it posts to. */
  url: string;
  /** The types that it is told of; `*` for all. */
  events: string[];
  /** Senders of which an e-mail has to have one, addresses or domains; empty: whatever e-mail. */
  filters: string[];
  /** Whether anything is posted to it. */
  isActive: boolean;
  /** Sealed. */
  secret: string;
  /** Sealed; valid beside `secret` until `formerSecretUntil`. */
  formerSecret: string | undefined;
  /** Ms since the epoch. */
  formerSecretUntil: number | undefined;
  /** Deliveries exhausted in a row. */
  exhaustedInARow: number;
  /** Attempts that failed in a row. */
  failuresInARow: number;
  /** Until when nothing is posted to it, because it asked for that (`Retry-After`). Queue time. */
  pausedUntil: number | undefined;
  /** When it was made, ms since the epoch. */
  createdAt: number;
  /** When it was last changed, ms since the epoch. */
  updatedAt: number;
}

/** Subscriptions to events. */
export interface Webhooks {
  /** Keeps a new one. */
  insert(
    webhook: Omit<
      Webhook,
      | "formerSecret"
      | "formerSecretUntil"
      | "exhaustedInARow"
      | "failuresInARow"
      | "pausedUntil"
      | "updatedAt"
    >,
  ): Promise<Webhook>;
  /** `undefined` where there is none. */
  find(workspaceId: number, id: string): Promise<Webhook | undefined>;
  /** Newest first. */
  list(workspaceId: number): Promise<Webhook[]>;
  /** The active ones of each workspace, in no order. */
  listActive(workspaceIds: number[]): Promise<Webhook[]>;
  /** Changes what is given; what it is then, or `undefined` where there is none. */
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
        | "failuresInARow"
        | "pausedUntil"
      >
    > & { updatedAt: number },
  ): Promise<Webhook | undefined>;
  /** Removes one and answers it; `undefined` where there was none. */
  delete(workspaceId: number, id: string): Promise<Webhook | undefined>;
  /** Counts an exhausted delivery, or sets the count back; the count then. */
  countExhausted(id: string, exhausted: boolean): Promise<number>;
  /** Notes what attempts came to: that the endpoint worked, or how often it failed, and until when it asked to be left alone. */
  noteOutcome(
    id: string,
    outcome: "worked" | { failures: number; pausedUntil: number | undefined },
  ): Promise<void>;
}

/** How far a delivery is. */
export type DeliveryStatus = "pending" | "delivered" | "failed";

/** A delivery, and what its last attempt came to. */
export interface WebhookDelivery {
  /** Names it. */
  id: string;
  /** The webhook that it goes to. */
  webhookId: string;
  /** The workspace's number. */
  workspaceId: number;
  /** The event's type. */
  event: string;
  /** The raw body, the same at every attempt. */
  payload: string;
  /** How far it is. */
  status: DeliveryStatus;
  /** Attempts made so far. */
  attempts: number;
  /** The HTTP status of the last answer; `undefined` where none came. */
  responseStatus: number | undefined;
  /** At most 4 KiB, hostile. */
  responseBody: string;
  /** How long the last attempt took, ms. */
  durationMs: number | undefined;
  /** The fault of the last attempt, as a word or a sentence; empty for none. */
  error: string;
  /** When the next attempt is due. */
  dueAt: number | undefined;
  /** When it was made, ms since the epoch. */
  createdAt: number;
  /** When it was delivered or given up, ms of queue time. */
  settledAt: number | undefined;
}

/** A delivery to be queued. */
export type NewWebhookDelivery = Pick<
  WebhookDelivery,
  "id" | "webhookId" | "workspaceId" | "event" | "payload" | "createdAt"
> & {
  /** The present, by queue time. */
  dueAt: number;
  /** The e-mail that it tells of. */
  emailId?: string | undefined;
};

/** A webhook with a backlog. */
export interface DueEndpoint {
  /** The storage's own key of the webhook. */
  row: number;
  /** The webhook's id. */
  webhookId: string;
  /** The workspace's number. */
  workspaceId: number;
  /** Nothing is posted to one that is switched off: what waits there is to be ended. */
  isActive: boolean;
  /** Whether its last attempt failed. */
  isFailing: boolean;
  /** When its longest waiting delivery fell due. */
  dueAt: number;
  /** How many are due, at most the `most` that was asked for. */
  due: number;
}

/** A delivery in a worker's hands, with all that an attempt takes. */
export interface ClaimedDelivery {
  /** The delivery as it stands. */
  delivery: WebhookDelivery;
  /** Where it goes. */
  webhook: Webhook;
  /** Times that it is tried again at the most, by the workspace's setting. */
  retryCount: number;
  /** Proves whose it is: what is written under an older one changes nothing. */
  fence: number;
}

/** What came of one attempt at a delivery. */
export interface DeliveryResult {
  /** The delivery's id. */
  id: string;
  /** Proves whose it is: what is written under an older one changes nothing. */
  fence: number;
  /** The HTTP status; `undefined` where no answer came. */
  responseStatus: number | undefined;
  /** At most 4 KiB, hostile. */
  responseBody: string;
  /** How long the attempt took, ms. */
  durationMs: number;
  /** The fault; empty for none. */
  error: string;
  /** The final status, or when to try again. */
  next: { status: "delivered" | "failed"; settledAt: number } | { retryAt: number };
}

/** Deliveries to webhooks, which are their own queue. Times at which something is due or leased are queue time. */
export interface WebhookDeliveries {
  /** Due at once. */
  insert(deliveries: NewWebhookDelivery[]): Promise<void>;
  /** `undefined` as webhook finds one of any. */
  find(workspaceId: number, webhookId: string | undefined, id: string): Promise<WebhookDelivery | undefined>;
  /** Newest first. */
  list(workspaceId: number, webhookId: string, slice: Slice): Promise<Listing<WebhookDelivery>>;
  /** What told of an e-mail, oldest first, at most `limit`, with where it went. */
  listAbout(
    workspaceId: number,
    emailId: string,
    limit: number,
  ): Promise<(WebhookDelivery & { url: string })[]>;
  /**
   * The webhooks with something due that are not paused, those that work first, then the longest waiting; before them those that are
   * switched off with a backlog.
   */
  look(look: { now: number; most: number; limit: number }): Promise<DueEndpoint[]>;
  /**
   * Leases due deliveries to this worker until `now + leaseMs`, of each wanted webhook the longest due, at most four at a time; a lapsed
   * lease counts as due. No two workers get the same one.
   */
  claim(claim: {
    wants: { row: number; limit: number }[];
    now: number;
    leaseMs: number;
  }): Promise<ClaimedDelivery[]>;
  /** Records attempts whose fence still fits; the ids that were. */
  settle(results: DeliveryResult[], now: number): Promise<string[]>;
  /** Gives leases back unused: due at `dueAt`, by default `now`, without counting the attempt. */
  release(leases: { id: string; fence: number }[], now: number, dueAt?: number): Promise<void>;
  /** Makes a settled delivery due again with its attempts set back; whether there was one. */
  redeliver(workspaceId: number, webhookId: string, id: string, now: number): Promise<boolean>;
  /** When the next delivery falls due, pauses of endpoints and live leases included; `undefined` for none. */
  nextDueAt(): Promise<number | undefined>;
  /** Ends what waits for the given webhooks as failed with the error, at most `limit`; how many. */
  endWaiting(ending: { rows: number[]; error: string; now: number; limit: number }): Promise<number>;
  /** Takes back by how much a clock was ahead of `now` when it put deliveries off or leased them; how many. */
  restoreDue(now: number): Promise<number>;
  /** Removes what is from before a time, at most `limit` rows; how many. */
  deleteBefore(before: number, limit: number): Promise<number>;
  /** Removes deliveries of a webhook, whatever became of them, at most `limit`; how many. */
  removeSome(workspaceId: number, webhookId: string, limit: number): Promise<number>;
}
