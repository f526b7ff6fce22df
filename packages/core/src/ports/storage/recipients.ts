/** Somebody whom a workspace sent to, by address. */
export interface Person {
  /** The workspace's number. */
  workspaceId: number;
  /** As it was given. */
  address: string;
  /** What it is compared by. */
  addressKey: string;
}

/** Somebody who is being erased. */
export interface ErasedPerson extends Person {
  /** What stands in place of the address: `erased-<8 hex>@invalid`. */
  erasedAs: string;
}

/** The logs that are looked through piece by piece for an address, as nothing in them is found by it. */
export const searchedLogs = [
  "suppressions",
  "inbound_reports",
  "batches",
  "webhook_deliveries",
  "idempotency_keys",
  "dedupe_keys",
  "events",
] as const;
/** One of them. */
export type SearchedLog = (typeof searchedLogs)[number];

/** What is gone through, in this order. */
export type ErasureStage = "emails" | SearchedLog;

/** An erasure under way. */
export interface Erasure extends ErasedPerson {
  /** Names the erasure. */
  id: string;
  /** What is being gone through. */
  stage: ErasureStage;
  /** How far its stage is; empty at the beginning. */
  cursor: string;
  /** How much was replaced so far. */
  emails: number;
  /** Campaigns on whose lists the person was. */
  campaigns: number;
  /** Rows of logs. */
  events: number;
  /** When it was asked for, ms since the epoch. */
  requestedAt: number;
}

/** An e-mail to a person. */
export interface EmailToPerson {
  /** The storage's own key. */
  row: number;
  /** The e-mail's id. */
  id: string;
  /** The person's place among its recipients. */
  position: number;
  /** Whether nobody else gets it. */
  isAlone: boolean;
  /** Whether it is settled, waits, or is in a worker's hands. */
  place: "settled" | "waiting" | "in_hand";
}

/** One row of a log that names a person, by the names of its columns. */
export type FoundRow = Readonly<Record<string, unknown>>;

/** Somebody on a campaign's list. */
export interface ListedPerson {
  /** The campaign's number. */
  campaignId: number;
  /** The campaign's name. */
  campaign: string;
  /** What the person is called there. */
  name: string;
  /** What became of the person there. */
  state: string;
  /** Values for the person. */
  templateData: Record<string, unknown>;
}

/** What is held about those who were sent to: found, told, and replaced. */
export interface Recipients {
  /** The person's e-mails in their order, from behind a row. */
  emailsTo(person: Person, after: number, limit: number): Promise<EmailToPerson[]>;
  /** E-mails that name the person. */
  countEmails(person: Person): Promise<number>;
  /** Campaigns on whose lists the person is. */
  countCampaigns(person: Person): Promise<number>;
  /** Of the workspace's latest `latest` events those that name the person. */
  countEvents(person: Person, latest: number): Promise<number>;
  /** What the e-mails were filled with for the person, by row; what is gone or sealed is left out. */
  valuesOf(rows: readonly number[]): Promise<Map<number, unknown>>;
  /** On how many days the address bounced lately, by category. */
  bounceDays(person: Person): Promise<{ category: string; day: number }[]>;
  /** The campaigns on whose lists the person is, by their numbers, from behind one. */
  listedIn(person: Person, after: number, limit: number): Promise<ListedPerson[]>;
  /** The next piece of a log: its rows that name the person, and where the piece after begins, `undefined` for none. */
  search(
    log: SearchedLog,
    person: Person,
    after: string,
  ): Promise<{ rows: FoundRow[]; next: string | undefined }>;
  /**
   * Takes the person's part of a waiting e-mail back, whether or not a server may have taken it; what the e-mail came to where nobody
   * else waits for it. `undefined` where others do, or no longer waits.
   */
  withdraw(email: EmailToPerson, now: number): Promise<"cancelled" | "partially_sent" | undefined>;
  /** Replaces the person in e-mails, and what is told of them. Of those to nobody else, all that they said goes. */
  eraseEmails(person: ErasedPerson, emails: readonly EmailToPerson[]): Promise<void>;
  /** Replaces the person on campaigns' lists; whoever was not gone through yet leaves the list. How many campaigns. */
  eraseFromCampaigns(person: ErasedPerson): Promise<number>;
  /** Replaces the person in the next piece of a log; how many rows. */
  eraseFrom(
    log: SearchedLog,
    person: ErasedPerson,
    after: string,
  ): Promise<{ changed: number; next: string | undefined }>;
  /** Makes the suppressions of the address ones of `hashedKey`, which tells nobody whose they are; forgets its bounces. */
  hashSuppressions(person: ErasedPerson, hashedKey: string): Promise<void>;
}

/** Erasures under way: of one person, one at a time. */
export interface Erasures {
  /** Whether it is the first for this person. */
  insert(erasure: Erasure): Promise<boolean>;
  /** When the next may be taken; `undefined` where none is under way. */
  nextDueAt(): Promise<number | undefined>;
  /** Up to `limit` that are due; until `until` they are the caller's. */
  take(now: number, until: number, limit: number): Promise<Erasure[]>;
  /** Notes how far it got, and when it may be taken again. */
  note(erasure: Erasure, dueAt: number): Promise<void>;
  /** Whether it was there: whoever ends it first tells of it. */
  end(id: string): Promise<boolean>;
}
