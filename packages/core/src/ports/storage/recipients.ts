import type { RecipientDetails } from "./email-recipients.ts";
import type { Email, EmailAttempt, EmailPayload } from "./emails.ts";
import type { RecipientHits } from "./tracking.ts";

/** A recipient of a workspace, by address. */
export interface Person {
  /** The workspace's number. */
  workspaceId: number;
  /** The address as given. */
  address: string;
  /** The address's form for comparison. */
  addressKey: string;
}

/** A recipient that is being erased. */
export interface ErasedPerson extends Person {
  /** Replacement of the address: `erased-<8 hex>@invalid`. */
  erasedAs: string;
}

/** Logs that have no index by address and are searched in pieces. */
export const searchedLogs = [
  "suppressions",
  "inbound_reports",
  "batches",
  "webhook_deliveries",
  "idempotency_keys",
  "dedupe_keys",
  "events",
] as const;
/** One of these values. */
export type SearchedLog = (typeof searchedLogs)[number];

/** Stage of an erasure, in the order of their execution. */
export type ErasureStage = "emails" | SearchedLog | "contents";

/** An erasure in progress. */
export interface Erasure extends ErasedPerson {
  /** The erasure's id. */
  id: string;
  /** The current stage. */
  stage: ErasureStage;
  /** Progress within the stage; empty at the beginning. */
  cursor: string;
  /** Number of e-mails changed so far. */
  emails: number;
  /** Number of campaigns with the recipient on their list. */
  campaigns: number;
  /** Number of changed rows of logs. */
  events: number;
  /** When it was requested, ms since the epoch. */
  requestedAt: number;
}

/** An e-mail to a recipient. */
export interface EmailToPerson {
  /** The storage's own key. */
  row: number;
  /** The e-mail's id. */
  id: string;
  /** Position of the recipient in the e-mail. */
  position: number;
  /** Whether it has no other recipient. */
  isAlone: boolean;
}

/** An e-mail to a recipient, with all that an export tells of the recipient's part in it. */
export interface EmailOfPerson {
  /** The e-mail. */
  email: Email;
  /** The recipient's part. */
  recipient: RecipientDetails;
  /** The recipient's opens and clicks; those of a message to several are nobody's. */
  hits: RecipientHits[];
  /** Attempts to deliver the e-mail, in order, whose replies show nobody else's address. */
  attempts: Pick<EmailAttempt, "number" | "outcome" | "reply">[];
  /** What only delivery reads of it, such as its template values; `undefined` if it was removed or is encrypted. */
  payload: EmailPayload | undefined;
  /**
   * Its html and text as stored, if it was sent without a template; `undefined` if it has one, or if they were removed
   * or are encrypted.
   */
  content: { html: string; text: string } | undefined;
}

/**
 * What became of an e-mail from which a recipient was withdrawn: it ended by that, others wait for it, it had ended
 * before, or a worker has it, and it is unchanged.
 */
export type Withdrawn = "cancelled" | "partially_sent" | "waiting" | "settled" | "in_hand";

/** A row of a log that contains the address, and nobody else's but the sender's, by the names of its columns. */
export type FoundRow = Readonly<Record<string, unknown>>;

/** A recipient on a campaign's list. */
export interface ListedPerson {
  /** The campaign's number. */
  campaignId: number;
  /** The campaign's name. */
  campaign: string;
  /** The recipient's name there. */
  name: string;
  /** The address as it is there. */
  address: string;
  /** The recipient's state there. */
  state: string;
  /** Why there is no e-mail; empty if there is one, or none yet. */
  reason: string;
  /** Id of the e-mail. */
  emailId: string | undefined;
  /** The recipient's template values. */
  templateData: Record<string, unknown>;
}

/** Data about recipients: searching, exporting and erasing it. */
export interface Recipients {
  /** Lists the recipient's e-mails in order, after a row. */
  emailsTo(person: Person, after: number, limit: number): Promise<EmailToPerson[]>;
  /** Counts the e-mails to the recipient. */
  countEmails(person: Person): Promise<number>;
  /** Counts the campaigns with the recipient on their list. */
  countCampaigns(person: Person): Promise<number>;
  /** Counts the events that contain the address among the workspace's newest `latest`. */
  countEvents(person: Person, latest: number): Promise<number>;
  /**
   * Reads the next of the recipient's e-mails in order, after a row: up to a hundred, or fewer whose values and texts are
   * large. Returns them, and where the next piece begins, `undefined` at the end.
   */
  readEmails(
    person: Person,
    after: number,
    now: number,
  ): Promise<{ emails: EmailOfPerson[]; next: number | undefined }>;
  /** Returns the number of recent days on which the address bounced, by category. */
  bounceDays(person: Person): Promise<{ category: string; day: number }[]>;
  /** Lists the campaigns with the recipient on their list, by number, after one. */
  listedIn(person: Person, after: number, limit: number): Promise<ListedPerson[]>;
  /**
   * Searches the next piece of a log. Returns its rows that contain the address, and where the next piece begins,
   * `undefined` at the end.
   */
  search(
    log: SearchedLog,
    person: Person,
    after: string,
  ): Promise<{ rows: FoundRow[]; next: string | undefined }>;
  /**
   * Cancels the recipient's part of a waiting e-mail, even if a server may have accepted it. Until the transaction ends,
   * no worker gets the e-mail, and nobody sends it again.
   */
  withdraw(email: EmailToPerson, now: number): Promise<Withdrawn>;
  /**
   * Replaces the recipient's data in e-mails and the reports about them. E-mails without other recipients lose all
   * content.
   */
  eraseEmails(person: ErasedPerson, emails: readonly EmailToPerson[]): Promise<void>;
  /**
   * Replaces the recipient's data on the lists of the next few campaigns, which no feeder changes until the transaction
   * ends. A recipient who was not processed yet is removed from the list. Returns the number of campaigns; 0 if none has
   * the recipient any more.
   */
  eraseFromCampaigns(person: ErasedPerson): Promise<number>;
  /** Replaces the address in the next piece of a log. Returns the number of changed rows. */
  eraseFrom(
    log: SearchedLog,
    person: ErasedPerson,
    after: string,
  ): Promise<{ changed: number; next: string | undefined }>;
  /**
   * Replaces the address's suppressions by ones under `hashedKey`, which does not reveal it, and deletes its bounces.
   */
  hashSuppressions(person: ErasedPerson, hashedKey: string): Promise<void>;
}

/** Erasures in progress, at most one for each recipient. */
export interface Erasures {
  /** Inserts an erasure. Returns whether it is the first for this recipient. */
  insert(erasure: Erasure): Promise<boolean>;
  /** Returns when the next one can be taken; `undefined` if there is none. */
  nextDueAt(): Promise<number | undefined>;
  /** Takes up to `limit` due ones, those of the stage `emails` first, which are the caller's until `until`. */
  take(now: number, until: number, limit: number): Promise<Erasure[]>;
  /** Stores the progress, and when it may be taken again. */
  note(erasure: Erasure, dueAt: number): Promise<void>;
  /** Makes erasures that can be taken only after `after` due at `now`. */
  restoreDue(after: number, now: number): Promise<void>;
  /** Removes an erasure. Returns whether it existed: only the first caller emits the event. */
  end(id: string): Promise<boolean>;
}
