import type { Email, EmailRecipient } from "./emails.ts";
import type { Listing, Slice } from "./paging.ts";
import type { RecipientReport, RecipientReportKind, ReportSource } from "./recipient-report.ts";

/** An e-mail that something is reported of. */
export interface ReportedEmail {
  /** The storage's own key of the e-mail. */
  row: number;
  /** The e-mail as it stands. */
  email: Email;
  /** In the order of their positions. */
  recipients: EmailRecipient[];
}

/** What a message was that came back. */
export type InboundKind = "notification" | "complaint" | "auto_reply" | "other";

/** What a report did to one recipient. */
export interface InboundEffect {
  /** What was reported. */
  kind: RecipientReportKind;
  /** The address. */
  recipient: string;
  /** A word of `inbound/rules/bounce-categories.ts`; `complaint` for one. */
  class: string;
  /** Why, as a word. */
  category: string;
  /** `noted`: the first of its kind; `known`: told before; `suppressed`: noted, and the address gets no more mail. */
  effect: "noted" | "known" | "suppressed";
}

/** A message that came back, as it is kept. */
export interface InboundReport {
  /** Names it. */
  id: string;
  /** The workspace's number. */
  workspaceId: number;
  /** What the message was. */
  kind: InboundKind;
  /** How it came. */
  source: ReportSource;
  /** The e-mail it is about; `undefined` where none was found. */
  emailId: string | undefined;
  /** What it did, by recipient. */
  effects: InboundEffect[];
  /** When it came, ms since the epoch. */
  createdAt: number;
}

/** What comes back about e-mails: bounces, delays and complaints. */
export interface Reports {
  /** The e-mail by the storage's own key or its id, in any workspace. */
  findEmail(by: { row: number } | { id: string }): Promise<ReportedEmail | undefined>;
  /**
   * The e-mail that the server took by this id of its own for this address, among the 50 latest to the address: for relays that put
   * their own id in place of ours.
   */
  findByRemoteId(workspaceId: number, address: string, remoteId: string): Promise<ReportedEmail | undefined>;
  /** The list that an e-mail's one recipient may unsubscribe from, by the storage's own key, as long as its payload is kept. */
  findList(row: number): Promise<string | undefined>;
  /** Notes reports, each once by e-mail, position and kind; those that were new. */
  note(reports: RecipientReport[]): Promise<RecipientReport[]>;
  /**
   * Notes that an address bounced in this way on the day of `at`. On how many days of those since `since` it did, this one included,
   * and when it first did.
   */
  noteBounceDay(bounce: {
    workspaceId: number;
    address: string;
    category: string;
    at: number;
    since: number;
  }): Promise<{ days: number; firstAt: number }>;
  /** Keeps a message that came back; the one that was kept before, where it came before. `digest` is the message's. */
  keep(report: InboundReport & { digest: string; raw: string }): Promise<InboundReport | undefined>;
  /** The report of a message that came before. */
  findByDigest(workspaceId: number, digest: string): Promise<InboundReport | undefined>;
  /** With the message as it came; `undefined` where there is none. */
  find(workspaceId: number, id: string): Promise<(InboundReport & { raw: string }) | undefined>;
  /** How many are kept about an e-mail. */
  countAbout(workspaceId: number, emailId: string): Promise<number>;
  /** Newest first. */
  list(
    filter: { workspaceId: number; emailId?: string | undefined; kind?: InboundKind | undefined },
    slice: Slice,
  ): Promise<Listing<InboundReport>>;
  /** Removes what is from before a time, at most `limit` rows; how many. */
  deleteBefore(before: number, limit: number): Promise<number>;
  /** Forgets days on which addresses bounced. */
  deleteBounceDaysBefore(before: number, limit: number): Promise<number>;
}
