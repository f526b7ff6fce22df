import type { Email, EmailAttempt, EmailPayload, EmailRecipient } from "./emails.ts";
import type { Lane } from "./lane.ts";
import type { SuppressionOrigin } from "./suppressions.ts";

/** A part of the queue with due e-mails: those of one route in one lane. */
export interface DuePart {
  /** The route's name, such as `w:7`. */
  route: string;
  /** The lane, which is the urgency. */
  lane: Lane;
  /** When its oldest due e-mail fell due. */
  dueAt: number;
  /** Set if the route's hold has ended but was not lifted: one e-mail is sent on trial. */
  isTrial?: true;
}

/** Position in a part of the queue at which a look begins. */
export interface Floor {
  /** The route's name, such as `w:7`. */
  route: string;
  /** The lane, which is the urgency. */
  lane: Lane;
  /** E-mails that fell due earlier are skipped. */
  since: number;
}

/** What to claim from a part of the queue. */
export interface Want {
  /** The route's name, such as `w:7`. */
  route: string;
  /** The lane, which is the urgency. */
  lane: Lane;
  /** E-mails that fell due earlier are skipped: a claim does not walk over delivered entries. */
  since: number;
  /** Maximum number of e-mails. */
  limit: number;
}

/** The lease on a claimed e-mail. It also is the fence: writes of a worker whose claim is gone change nothing. */
export interface EmailLease {
  /** Id of the claim; ids are never reused. */
  claimId: number;
  /** The storage's own key of the e-mail. */
  row: number;
}

/** A claimed e-mail. Its payload is read separately, when its turn comes. */
export interface ClaimedEmail {
  /** The lease. */
  lease: EmailLease;
  /** The e-mail without its payload. */
  email: Email;
  /** All recipients, including those already settled. */
  recipients: EmailRecipient[];
  /** The route's name, such as `w:7`. */
  route: string;
  /** The lane, which is the urgency. */
  lane: Lane;
  /** When it fell due, ms of queue time. */
  dueAt: number;
  /** Number, counted from 1. */
  attempt: number;
  /** Bytes of all that is read of it alone: payload, recipients, metadata, and the content if it is sent as written. */
  bytes: number;
  /** Digest of the content, the key of caches of what was derived from it. */
  contentHash: string;
  /** The same for its stylesheets; `undefined` if there are none. */
  stylesheetSetHash: string | undefined;
  /** The stored recipients can't be read: the e-mail can't be sent and must be failed (reliability.md, F23). */
  damaged: boolean;
}

/** A batch of e-mails claimed by one worker. `until` changes with each renewal. */
export interface Claim {
  /** Unique id, never reused. */
  id: number;
  /** The worker that claimed it. */
  worker: string;
  /** End of the lease unless it is renewed, ms of queue time. */
  until: number;
  /** Ms from its last renewal to `until`. */
  leaseMs: number;
}

/** Result of an attempt for one recipient. */
export interface AttemptedRecipient
  extends Pick<
    EmailRecipient,
    "kind" | "address" | "state" | "code" | "lastReply" | "remoteId" | "domainMissingSince" | "settledAt"
  > {
  /** The suppression that stopped it, if its state is `suppressed`. */
  suppressedBy?: SuppressionOrigin | undefined;
  /** Whether it was refused at RCPT TO, so that the refusal is about the mailbox and not the message. */
  atRecipient?: boolean;
}

/** Result of an attempt. */
export interface AttemptResult {
  /** The lease under which it was made. */
  lease: EmailLease;
  /** The e-mail's id. */
  emailId: string;
  /** The workspace's number; `undefined` for the service's own mail. */
  workspaceId: number | undefined;
  /** Whether its payload is encrypted. Such a payload is removed once the e-mail is settled. */
  isSealed: boolean;
  /** The attempt; `undefined` if none was made: no recipient was left to send to, or the deadline had passed. */
  attempt: EmailAttempt | undefined;
  /** The recipients this attempt tried, by kind and address. */
  recipients: AttemptedRecipient[];
  /** The final status, or when to try again. */
  next:
    | { status: "sent" | "partially_sent" | "failed" | "suppressed"; settledAt: number }
    | { retryAt: number };
}

/** Whose a hold is: who set it lifts it, and each of a route's owners holds it alone. */
export type HoldOwner = "operator" | "campaign" | "server";

/** A hold on a route: none of its e-mails are claimed. `everyRoute` holds all routes. */
export interface ParkedRoute {
  /** The route's name, such as `w:7`. */
  route: string;
  /** Whose the hold is: the operator's, its campaign's while that is paused or cancelled, or its mail server's. */
  owner: HoldOwner;
  /** When the hold began. */
  parkedAt: number;
  /** End of the hold; `undefined` until it is lifted. */
  until: number | undefined;
  /** Reason for the operator. */
  reason: string;
}

/** Name that means all routes in `park` and `unpark`. */
export const everyRoute = "*";

/** Status of a route, in numbers of e-mails. */
export interface RouteStatus {
  /** The route's name, such as `w:7` for e-mails of workspace 7. */
  route: string;
  /** E-mails that are due now. */
  due: number;
  /** E-mails that are due later. */
  waiting: number;
  /** E-mails claimed by workers. */
  leased: number;
  /** When the oldest due e-mail fell due, ms since the epoch. */
  oldestDueAt: number | undefined;
  /** The holds, while the route is held: at most one of each owner, with the reason and the end. */
  holds: Omit<ParkedRoute, "route">[];
}

/** Size of the queue, in numbers of e-mails. */
export interface QueueStatus {
  /** E-mails that are due now. */
  due: number;
  /** E-mails that are due later. */
  waiting: number;
  /** E-mails claimed by workers. */
  leased: number;
  /** When the oldest due e-mail fell due. */
  oldestDueAt: number | undefined;
}

/** The queue of e-mails: routes and lanes, claims, and held routes. All times are queue time (`Storage.now`). */
export interface EmailQueue {
  /**
   * Returns the parts with due e-mails, longest due first, at most `limit`, without those of held routes; and when the
   * next will be due, `undefined` if nothing waits, or only on holds without an end. In routes with floors, one for
   * each lane, it begins there.
   */
  look(
    now: number,
    limit: number,
    floors?: readonly Floor[],
  ): Promise<{ due: DuePart[]; nextAt: number | undefined }>;
  /**
   * Claims due e-mails for this worker until `now + leaseMs`, in the order in which they fell due. It ends before
   * `maxBytes` of their data are exceeded, but includes at least one. No e-mail is claimed by two workers. Those with an
   * open recipient whose erasure has the stage `emails` are put off by 5 s instead.
   */
  claim(claim: {
    wants: Want[];
    now: number;
    leaseMs: number;
    worker: string;
    maxBytes: number;
  }): Promise<ClaimedEmail[]>;
  /** Reads payloads of claimed e-mails, in their order; `undefined` for one that is damaged or gone. */
  payloads(leases: EmailLease[]): Promise<(EmailPayload | undefined)[]>;
  /** Renews claims. Returns those that still existed, and of which no e-mail was taken back. */
  renew(claimIds: number[], now: number, until: number): Promise<number[]>;
  /**
   * Returns e-mails to the queue without counting an attempt: unchanged, due at `notBefore` if they were due earlier, or
   * on another route. What a clock ahead put off so, `restoreDue` makes due again.
   */
  release(leases: EmailLease[], changes?: { notBefore?: number; route?: string }): Promise<void>;
  /**
   * Moves a route's waiting e-mails that name no server, and whose senders' addresses are at one of the domains, to another
   * route: some thousand of them at the most, and none of a route that is held without an end. Returns their number.
   */
  takeAlong(move: { domains: ReadonlySet<string>; from: string; to: string }): Promise<number>;
  /**
   * Records attempts whose claim still exists, and returns these of the given ones. Settled e-mails leave the queue,
   * and their encrypted data is removed.
   */
  settle(results: AttemptResult[], now: number): Promise<AttemptResult[]>;
  /** Lists all claims. */
  claims(): Promise<Claim[]>;
  /**
   * Returns the e-mails of abandoned claims to the queue, due at once, and records their attempts as interrupted, unless
   * they are untried. Returns their number. A claim that was renewed since is left unchanged.
   */
  reclaim(
    claims: Pick<Claim, "id" | "until">[],
    now: number,
    options?: { areUntried?: boolean },
  ): Promise<number>;
  /**
   * Makes e-mails due that were queued by a clock ahead of `now`, except scheduled ones. Returns their number. Ends the
   * holds that such a clock set, if they have an end.
   */
  restoreDue(now: number): Promise<number>;
  /** Holds a route for an owner, whose longer hold stays unchanged. Returns whether that now holds it for longer. */
  park(route: Omit<ParkedRoute, "parkedAt">, now: number): Promise<boolean>;
  /** Lifts the holds of these owners. Returns whether there was one. */
  unpark(route: string, owners: readonly HoldOwner[]): Promise<boolean>;
  /** Records that a route whose hold had ended at `now` works: its e-mails are no longer on trial. */
  endHold(route: string, now: number): Promise<void>;
  /**
   * Deletes up to `limit` holds that ended before a time: of routes that lost all their e-mails, and of workspaces' servers.
   * Returns their number.
   */
  deleteHoldsBefore(before: number, limit: number): Promise<number>;
  /**
   * Lifts the temporary holds on the routes of a workspace's own servers, of its campaigns, which use them, and of its
   * e-mails for the operator's server, which may have to use them by now.
   */
  unparkServers(workspaceId: number): Promise<void>;
  /**
   * Returns when the next waiting e-mail of a part of the queue can be claimed: once it is due and the route's hold is over,
   * never (infinity) if that has no end. `undefined` if none waits, or a worker has one in hand, whose result comes at any time.
   */
  opensAt(part: Pick<DuePart, "route" | "lane">): Promise<number | undefined>;
  /** Lists the holds in force at `now`. */
  parked(now: number): Promise<ParkedRoute[]>;
  /** Whether a route is held. */
  isParked(route: string, now: number): Promise<boolean>;
  /** Returns the size of the queue. It counts all waiting e-mails. */
  status(now: number): Promise<QueueStatus>;
  /** Lists ids of waiting e-mails due before a time, oldest first. */
  listDue(before: number, limit: number): Promise<string[]>;
  /** Lists held routes, then those with queued or claimed e-mails, each the longest due first: at most `limit`. */
  routes(now: number, limit: number): Promise<RouteStatus[]>;
}
