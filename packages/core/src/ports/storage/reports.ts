import type { Email, EmailRecipient } from "./emails.ts";
import type { Listing, Slice } from "./paging.ts";
import type { RecipientReport, RecipientReportKind, ReportSource } from "./recipient-report.ts";

/** An e-mail that a report is about. */
export interface ReportedEmail {
  /** The storage's own key of the e-mail. */
  row: number;
  /** The e-mail, without the status that it has now. */
  email: Omit<Email, "status" | "sentAt">;
  /** Its recipients in the order of their positions. */
  recipients: EmailRecipient[];
}

/** Kind of a returned message. */
export type InboundKind = "notification" | "complaint" | "auto_reply" | "other";

/** Effect of a report on one recipient. */
export interface InboundEffect {
  /** Kind of the report. */
  kind: RecipientReportKind;
  /** The recipient's address. */
  recipient: string;
  /** Class of the bounce, as in `inbound/rules/bounce-categories.ts`; `complaint` for a complaint. */
  class: string;
  /** The reason as a code. */
  category: string;
  /**
   * `noted`: the first report of its kind; `known`: reported before; `suppressed`: noted, and the address was
   * suppressed.
   */
  effect: "noted" | "known" | "suppressed";
}

/** A stored returned message. */
export interface InboundReport {
  /** Its unique id. */
  id: string;
  /** The workspace's number. */
  workspaceId: number;
  /** Kind of the message. */
  kind: InboundKind;
  /** How it was received. */
  source: ReportSource;
  /** The e-mail that it is about; `undefined` if none was found. */
  emailId: string | undefined;
  /** Its effects, by recipient. */
  effects: InboundEffect[];
  /** When it was received, ms since the epoch. */
  createdAt: number;
}

/** Reports about e-mails: bounces, delays and complaints. */
export interface Reports {
  /**
   * Finds an e-mail of any workspace, by the storage's own key or its id. Until the transaction ends, nobody is erased
   * from it.
   */
  findEmail(by: { row: number } | { id: string }): Promise<ReportedEmail | undefined>;
  /**
   * Finds the e-mail with this id of the accepting server for this address, among the 50 latest to the address: for
   * relays that replace our message id by their own.
   */
  findByRemoteId(workspaceId: number, address: string, remoteId: string): Promise<ReportedEmail | undefined>;
  /** Whether an attempt of one of the 50 latest e-mails to the address is under way: its reply is not stored yet. */
  isSendingTo(workspaceId: number, address: string): Promise<boolean>;
  /**
   * Finds the list that an e-mail's only recipient may unsubscribe from, by the storage's own key, as long as its
   * payload is stored.
   */
  findList(row: number): Promise<string | undefined>;
  /** Stores reports about e-mails that exist, each once by e-mail, position and kind. Returns the new ones. */
  note(reports: RecipientReport[]): Promise<RecipientReport[]>;
  /**
   * Replaces a report of the same e-mail, position and kind that was not believed, but for its time. Returns whether
   * there was one.
   */
  replaceUnbelieved(report: RecipientReport): Promise<boolean>;
  /**
   * Records that an address bounced in this category on the day of `at`. Returns the number of days since `since` on
   * which it did, including this one, and when it first did.
   */
  noteBounceDay(bounce: {
    workspaceId: number;
    address: string;
    category: string;
    at: number;
    since: number;
  }): Promise<{ days: number; firstAt: number }>;
  /** Stores a returned message. Returns the stored one if there is one of the same `digest`. */
  keep(report: InboundReport & { digest: string; raw: string }): Promise<InboundReport | undefined>;
  /** Finds the report of a message that was received before. */
  findByDigest(workspaceId: number, digest: string): Promise<InboundReport | undefined>;
  /** Finds a report with the message as received; `undefined` if there is none. */
  find(workspaceId: number, id: string): Promise<(InboundReport & { raw: string }) | undefined>;
  /** Counts the reports about an e-mail. */
  countAbout(workspaceId: number, emailId: string): Promise<number>;
  /** Lists them, newest first. */
  list(
    filter: { workspaceId: number; emailId?: string | undefined; kind?: InboundKind | undefined },
    slice: Slice,
  ): Promise<Listing<InboundReport>>;
  /** Deletes rows from before a time, at most `limit`. Returns their number. */
  deleteBefore(before: number, limit: number): Promise<number>;
  /** Deletes days on which addresses bounced before a time. */
  deleteBounceDaysBefore(before: number, limit: number): Promise<number>;
}
