import type { Email, EmailAttempt, EmailPayload, EmailRecipient } from "./emails.ts";
import type { Lane } from "./lane.ts";
import type { SuppressionOrigin } from "./suppressions.ts";

/** A part of the queue with something due: the e-mails of a route in one lane. */
export interface DuePart {
  /** The route's name, such as `w:7`. */
  route: string;
  /** How urgently it waits. */
  lane: Lane;
  /** When its longest waiting e-mail fell due. */
  dueAt: number;
  /** Set where its route comes off a hold that nobody has ended yet: one e-mail is to find out whether it may go on. */
  isTrial?: true;
}

/** Where to start looking in a part of the queue. */
export interface Floor {
  /** The route's name, such as `w:7`. */
  route: string;
  /** How urgently it waits. */
  lane: Lane;
  /** E-mails due earlier are passed over. */
  since: number;
}

/** What is to be claimed of a part of the queue. */
export interface Want {
  /** The route's name, such as `w:7`. */
  route: string;
  /** How urgently it waits. */
  lane: Lane;
  /** E-mails due earlier are passed over: a claim never walks over what was there before. */
  since: number;
  /** Maximum number of e-mails. */
  limit: number;
}

/** Who has an e-mail in hand. The claim is the fence: what a worker says whose claim is gone changes nothing. */
export interface EmailLease {
  /** The claim that it is in, never given out twice. */
  claimId: number;
  /** The storage's own key of the e-mail. */
  row: number;
}

/** An e-mail in this worker's hands. Its payload is read apart, when its turn comes. */
export interface ClaimedEmail {
  /** Proves who has it. */
  lease: EmailLease;
  /** The e-mail without its payload. */
  email: Email;
  /** Those who are still to get it, and those who are settled. */
  recipients: EmailRecipient[];
  /** The route's name, such as `w:7`. */
  route: string;
  /** How urgently it waits. */
  lane: Lane;
  /** When it fell due. */
  dueAt: number;
  /** 1 for the first. */
  attempt: number;
  /** Of all that is read of it: payload, recipients, metadata. */
  bytes: number;
  /** Digests of content and stylesheet set, by which what was made of them is kept. */
  contentHash: string;
  /** As `contentHash`, of its stylesheets; `undefined` where there are none. */
  stylesheetSetHash: string | undefined;
  /** Its stored recipients can't be read: there is nothing to send, and it is to be failed (reliability.md, F23). */
  damaged: boolean;
}

/** A batch in some worker's hands. `until` changes with each renewal. */
export interface Claim {
  /** Never given out twice. */
  id: number;
  /** The worker that claimed it. */
  worker: string;
  /** When it can be taken from that worker, unless it is renewed. */
  until: number;
  /** From its last renewal to `until`. */
  leaseMs: number;
}

/** What an attempt came to at one recipient. */
export interface AttemptedRecipient
  extends Pick<
    EmailRecipient,
    "kind" | "address" | "state" | "lastCode" | "lastReply" | "remoteId" | "domainMissingSince" | "settledAt"
  > {
  /** Why nothing was sent to it, where its state is `suppressed`. */
  suppressedBy?: SuppressionOrigin | undefined;
  /** Whether it was refused at RCPT TO, which tells of the mailbox and not of the message. */
  atRecipient?: boolean;
}

/** What an attempt came to. */
export interface AttemptResult {
  /** Proves who had it. */
  lease: EmailLease;
  /** The e-mail's id. */
  emailId: string;
  /** The workspace's number; `undefined` for the service's own mail. */
  workspaceId: number | undefined;
  /** Whether its payload is sealed: it is forgotten once the e-mail is settled. */
  isSealed: boolean;
  /** `undefined` where nobody was left to send to. */
  attempt: EmailAttempt | undefined;
  /** The recipients this attempt tried, by kind and address. */
  recipients: AttemptedRecipient[];
  /** The final status, or when to try again. */
  next:
    | { status: "sent" | "partially_sent" | "failed" | "suppressed"; settledAt: number }
    | { retryAt: number };
}

/** A route that is held: nothing of it is claimed. `everyRoute` holds all. */
export interface ParkedRoute {
  /** The route's name, such as `w:7`. */
  route: string;
  /** When the hold began. */
  parkedAt: number;
  /** `undefined`: until it is taken off. */
  until: number | undefined;
  /** Why, in words for whoever runs the service. */
  reason: string;
}

/** Stands for all routes in `park` and `unpark`. */
export const everyRoute = "*";

/** How a route stands, in e-mails. */
export interface RouteStatus {
  /** The route's name, such as `w:7` for the mails of workspace 7. */
  route: string;
  /** Those that could be delivered now. */
  due: number;
  /** Those that fall due later. */
  waiting: number;
  /** Those in a worker's hands. */
  leased: number;
  /** When the longest-due one fell due, ms since the epoch. */
  oldestDueAt: number | undefined;
  /** Set while the route is held, with the reason and the end. */
  parked: Omit<ParkedRoute, "route"> | undefined;
}

/** How full the queue is, in e-mails. */
export interface QueueStatus {
  /** Those that could be delivered now. */
  due: number;
  /** Those that fall due later. */
  waiting: number;
  /** Those in a worker's hands. */
  leased: number;
  /** When the longest-due e-mail became due. */
  oldestDueAt: number | undefined;
}

/** The queue of e-mails: routes and lanes, who has what in hand, which routes are held. All times are queue time (`Storage.now`). */
export interface EmailQueue {
  /**
   * The parts with something due, longest due first, at most `limit`, without those of parked routes; and when there will next be
   * more: `undefined` where nothing waits, or only what an operator holds. In routes of which there are floors, one for each lane, it
   * begins there.
   */
  look(
    now: number,
    limit: number,
    floors?: readonly Floor[],
  ): Promise<{ due: DuePart[]; nextAt: number | undefined }>;
  /**
   * Takes due e-mails out of the queue, in the order in which they fell due, into this worker's hands until `now + leaseMs`. Ends
   * before `maxBytes` of all that is read of them are passed, but never before the first. No two workers get the same one.
   */
  claim(claim: {
    wants: Want[];
    now: number;
    leaseMs: number;
    worker: string;
    maxBytes: number;
  }): Promise<ClaimedEmail[]>;
  /** Payloads of claimed e-mails, in their order; `undefined` where one is damaged or gone. */
  payloads(leases: EmailLease[]): Promise<(EmailPayload | undefined)[]>;
  /** Prolongs claims; those that were still there. */
  renew(claimIds: number[], now: number, until: number): Promise<number[]>;
  /** Puts e-mails back as they were, without counting an attempt. */
  release(leases: EmailLease[]): Promise<void>;
  /** Records attempts whose claim still stands; the ids that were. What is settled is gone from the queue, and its sealed data forgotten. */
  settle(results: AttemptResult[], now: number): Promise<string[]>;
  /** Every claim there is. */
  claims(): Promise<Claim[]>;
  /** Puts the e-mails of abandoned claims back, due at once, their attempts recorded as interrupted; how many. A claim renewed since is left alone. */
  reclaim(claims: Pick<Claim, "id" | "until">[], now: number): Promise<number>;
  /** Makes due what was queued by a clock that was ahead of `now`, but for what is scheduled; how many. */
  restoreDue(now: number): Promise<number>;
  /** Holds a route. One that is held longer already stays so. */
  park(route: Omit<ParkedRoute, "parkedAt">, now: number): Promise<void>;
  /** Takes a hold off; whether there was one. */
  unpark(route: string): Promise<boolean>;
  /** Notes that a route whose hold was over at `now` goes on: what waits there is no trial any more. */
  endHold(route: string, now: number): Promise<void>;
  /** Takes off the holds that have an end on the routes of a workspace's own servers. */
  unparkServers(workspaceId: number): Promise<void>;
  /** The holds that stand at `now`. */
  parked(now: number): Promise<ParkedRoute[]>;
  /** Whether a route is held. */
  isParked(route: string, now: number): Promise<boolean>;
  /** How full the queue is. It counts all that waits. */
  status(now: number): Promise<QueueStatus>;
  /** Ids of waiting e-mails due before a time, longest due first. */
  listDue(before: number, limit: number): Promise<string[]>;
  /** Routes with something in the queue or in hand, or parked: the longest due first, at most `limit`. */
  routes(now: number, limit: number): Promise<RouteStatus[]>;
}
