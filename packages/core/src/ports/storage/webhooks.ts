import type { Listing, Slice } from "./paging.ts";
import type { Removal } from "./retention.ts";

/** A webhook; its secrets are encrypted. */
export interface Webhook {
  /** Its unique id. */
  id: string;
  /** The workspace's number. */
  workspaceId: number;
  /** The URL that events are posted to. */
  url: string;
  /** Subscribed event types; `*` for all. */
  events: string[];
  /** Addresses or domains of senders: events of other senders' e-mails are not posted. Empty for all. */
  filters: string[];
  /** Whether events are posted to it. */
  isActive: boolean;
  /** The encrypted secret. */
  secret: string;
  /** The encrypted former secret; valid beside `secret` until `formerSecretUntil`. */
  formerSecret: string | undefined;
  /** When the former secret expires, ms since the epoch. */
  formerSecretUntil: number | undefined;
  /** Number of consecutive deliveries that failed at every attempt. */
  exhaustedInARow: number;
  /** Number of consecutive failed attempts. */
  failuresInARow: number;
  /** How prompt its last attempts were: 0 for the promptest; see `endpoint-pace.ts`. */
  pace: number;
  /** End of the pause that the endpoint asked for (`Retry-After`), in queue time. */
  pausedUntil: number | undefined;
  /** When it was created, ms since the epoch. */
  createdAt: number;
  /** When it was last changed, ms since the epoch. */
  updatedAt: number;
}

/** Webhooks. */
export interface Webhooks {
  /** Inserts a webhook. */
  insert(
    webhook: Omit<
      Webhook,
      | "formerSecret"
      | "formerSecretUntil"
      | "exhaustedInARow"
      | "failuresInARow"
      | "pace"
      | "pausedUntil"
      | "updatedAt"
    >,
  ): Promise<Webhook>;
  /** Finds one; `undefined` if there is none. */
  find(workspaceId: number, id: string): Promise<Webhook | undefined>;
  /** Locks it for other writers until the transaction ends. */
  lock(workspaceId: number, id: string): Promise<Webhook | undefined>;
  /** Lists them, newest first. */
  list(workspaceId: number): Promise<Webhook[]>;
  /** Lists the active webhooks of each workspace, in no order. */
  listActive(workspaceIds: number[]): Promise<Webhook[]>;
  /** Changes the given fields. Returns the updated row, or `undefined` if there is none. */
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
        | "pace"
        | "pausedUntil"
      >
    > & { updatedAt: number },
  ): Promise<Webhook | undefined>;
  /** Deletes one and returns it; `undefined` if there was none. */
  delete(workspaceId: number, id: string): Promise<Webhook | undefined>;
  /** Counts a delivery that failed at every attempt, or resets the count. Returns the count. */
  countExhausted(id: string, exhausted: boolean): Promise<number>;
  /**
   * Records the results of attempts: how often the endpoint failed, 0 if it worked, the last fault, until when it asked
   * for a pause, and its pace.
   */
  noteOutcome(
    id: string,
    outcome: { failures: number; error?: string; pausedUntil: number | undefined; pace: number },
  ): Promise<void>;
  /** Ends all pauses that would end after `now`. */
  endPauses(now: number): Promise<void>;
}

/** Status of a delivery. */
export type DeliveryStatus = "pending" | "delivered" | "failed";

/** A delivery with the result of its last attempt. */
export interface WebhookDelivery {
  /** Its unique id. */
  id: string;
  /** Id of the webhook that it goes to. */
  webhookId: string;
  /** The workspace's number. */
  workspaceId: number;
  /** The event's type. */
  event: string;
  /** The raw body, the same for every attempt. */
  payload: string;
  /** The status. */
  status: DeliveryStatus;
  /** Number of attempts so far. */
  attempts: number;
  /** HTTP status of the last response; `undefined` if there was none. */
  responseStatus: number | undefined;
  /** Beginning of the response's body, at most 4 KiB. Untrusted text. */
  responseBody: string;
  /** Duration of the last attempt in ms. */
  durationMs: number | undefined;
  /** Fault of the last attempt, as a word or a sentence; empty if it succeeded. */
  error: string;
  /** When the next attempt is due. */
  dueAt: number | undefined;
  /** When it was created, ms since the epoch. */
  createdAt: number;
  /** When it was delivered or failed for good, ms of queue time. */
  settledAt: number | undefined;
}

/** A delivery to insert into the queue. */
export type NewWebhookDelivery = Pick<
  WebhookDelivery,
  "id" | "webhookId" | "workspaceId" | "event" | "payload" | "createdAt"
> & {
  /** The present in queue time. */
  dueAt: number;
  /** Id of the e-mail that it is about. */
  emailId?: string | undefined;
};

/** A webhook with waiting deliveries. */
export interface DueEndpoint {
  /** The storage's own key of the webhook. */
  row: number;
  /** The webhook's id. */
  webhookId: string;
  /** The workspace's number. */
  workspaceId: number;
  /** False for a disabled webhook, whose waiting deliveries are to be ended. */
  isActive: boolean;
  /** Whether its last attempt failed. */
  isFailing: boolean;
  /** How prompt its last attempts were. */
  pace: number;
  /** When its oldest due delivery fell due. */
  dueAt: number;
  /** Number of due deliveries, up to the requested `most`. */
  due: number;
}

/** A claimed delivery, with all data for an attempt. */
export interface ClaimedDelivery {
  /** The delivery. */
  delivery: WebhookDelivery;
  /** The webhook that it goes to. */
  webhook: Webhook;
  /** Maximum number of retries, by the workspace's setting. */
  retryCount: number;
  /** Identifies the lease: writes with an old fence change nothing. */
  fence: number;
}

/** Result of one attempt of a delivery. */
export interface DeliveryResult {
  /** The delivery's id. */
  id: string;
  /** Identifies the lease: writes with an old fence change nothing. */
  fence: number;
  /** The HTTP status; `undefined` if there was no response. */
  responseStatus: number | undefined;
  /** Beginning of the response's body, at most 4 KiB. Untrusted text. */
  responseBody: string;
  /** Duration of the attempt in ms. */
  durationMs: number;
  /** The fault; empty if it succeeded. */
  error: string;
  /** The final status, or when to try again. */
  next: { status: "delivered" | "failed"; settledAt: number } | { retryAt: number };
}

/** What waits for a webhook, and how its endpoint does. */
export interface WebhookBacklog
  extends Pick<Webhook, "workspaceId" | "url" | "isActive" | "failuresInARow" | "pace" | "pausedUntil"> {
  /** The webhook's id. */
  webhookId: string;
  /** Deliveries that are due now. */
  due: number;
  /** Deliveries that are due later, or being attempted. */
  waiting: number;
  /** When the oldest due delivery fell due. */
  oldestDueAt: number | undefined;
  /** Fault of the last failed attempt; empty if there was none yet. */
  lastError: string;
}

/** Where a look at a webhook's backlog begins. */
export interface BacklogFloor {
  /** The webhook's number. */
  row: number;
  /** What fell due before is left out, as there is nothing; ms since the epoch. */
  since: number;
}

/** How many deliveries wait, and how long. */
export interface WebhookStatus {
  /** Deliveries that are due, postponed or being attempted. */
  pending: number;
  /**
   * When the oldest due delivery fell due, of endpoints whose last attempt succeeded within 2.5 s: those of others say
   * nothing about this service.
   */
  oldestDueAt: number | undefined;
}

/** Deliveries to webhooks, which also are their queue. Due times and leases are in queue time. */
export interface WebhookDeliveries {
  /** Inserts deliveries, due at once. */
  insert(deliveries: NewWebhookDelivery[]): Promise<void>;
  /** Finds a delivery; with `undefined` as webhook, of any webhook. */
  find(workspaceId: number, webhookId: string | undefined, id: string): Promise<WebhookDelivery | undefined>;
  /** Lists them, newest first. */
  list(workspaceId: number, webhookId: string, slice: Slice): Promise<Listing<WebhookDelivery>>;
  /**
   * Lists deliveries about an e-mail, oldest first, at most `limit`, with their URLs and the ends of the pauses that
   * their endpoints asked for.
   */
  listAbout(
    workspaceId: number,
    emailId: string,
    limit: number,
  ): Promise<(WebhookDelivery & Pick<Webhook, "url" | "pausedUntil">)[]>;
  /**
   * Returns the webhooks with due deliveries that are not paused, and disabled ones with waiting deliveries. Of the
   * disabled ones, and of the working and the failing ones of each pace, the `limit` that have waited longest; if there
   * are more, those behind the first `skip` (default 0), and behind the last the first again. The backlogs of webhooks
   * that have a floor are looked at from there on.
   */
  look(look: {
    now: number;
    most: number;
    limit: number;
    skip?: number;
    floors?: readonly BacklogFloor[];
  }): Promise<DueEndpoint[]>;
  /** Returns when the first delivery of each webhook's backlog is due, or its lease ends. */
  firsts(floors?: readonly BacklogFloor[]): Promise<{ row: number; dueAt: number }[]>;
  /**
   * Claims due deliveries for this worker until `now + leaseMs`, of each wanted webhook the longest due, at most sixteen
   * at a time. An expired lease counts as due, unless it is of a delivery that this worker still has in hand, or all
   * are left to their owners for now. No delivery is claimed by two workers. What fell due before `since`, as the last look
   * found it, may be left out: there was nothing then.
   */
  claim(claim: {
    wants: { row: number; limit: number; since?: number }[];
    now: number;
    leaseMs: number;
    inHand?: readonly string[];
    leavesExpired?: boolean;
  }): Promise<ClaimedDelivery[]>;
  /**
   * Records attempts whose fence is current, without the answer to a payload from which somebody was erased meanwhile.
   * Returns these of the given ones.
   */
  settle(results: DeliveryResult[], now: number): Promise<DeliveryResult[]>;
  /** Releases unused leases: due at `dueAt`, by default `now`, without counting the attempt. */
  release(leases: { id: string; fence: number }[], now: number, dueAt?: number): Promise<void>;
  /**
   * Makes a delivery due at `now` with its attempts reset, if it is settled, or waits for a later time and is not under
   * lease. Returns whether there was one.
   */
  redeliver(workspaceId: number, webhookId: string, id: string, now: number): Promise<boolean>;
  /** Returns when the next delivery falls due, including endpoints' pauses and current leases; `undefined` for none. */
  nextDueAt(floors?: readonly BacklogFloor[]): Promise<number | undefined>;
  /** Returns how many deliveries wait, and how long. */
  status(now: number): Promise<WebhookStatus>;
  /** Lists the webhooks that something waits for, the longest due first, at most `limit`. */
  backlog(now: number, limit: number): Promise<WebhookBacklog[]>;
  /** Ends waiting deliveries of the given webhooks as failed with the error, at most `limit`. Returns their number. */
  endWaiting(ending: { rows: number[]; error: string; now: number; limit: number }): Promise<number>;
  /** Corrects the times of deliveries that a clock ahead of `now` postponed or leased. Returns their number. */
  restoreDue(now: number): Promise<number>;
  /** Deletes rows from before a time, at most `limit`. Returns their number. */
  deleteBefore(before: number, limit: number): Promise<number>;
  /** Deletes deliveries of a webhook, of any status, oldest first, at most `limit`, after where the previous piece ended. */
  removeSome(workspaceId: number, webhookId: string, limit: number, after: number): Promise<Removal>;
}
