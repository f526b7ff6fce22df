import type { EmailRecipient } from "./email-recipients.ts";
import type { Email } from "./emails.ts";
import type { RecipientHits } from "./recipient-hits.ts";

export type * from "./recipient-hits.ts";

/** Hits to be added to those of an e-mail. */
export interface NewHits extends RecipientHits {
  /** The storage's own key of the e-mail. */
  row: number;
}

/** What identifies the hits of one kind on the e-mail to one recipient. */
export type HitsKey = Pick<NewHits, "row" | "position" | "kind">;

/** An e-mail with what its hits are judged by. */
export interface TrackedEmail {
  /** The storage's own key of the e-mail. */
  row: number;
  /** Whether its workspace keeps the addresses and user agents of hits (`trackingDetails`). */
  keepsDetails: boolean;
  /** The fields that its events have. */
  email: Pick<Email, "id" | "workspaceId" | "campaignId" | "from" | "subject" | "tags" | "metadata">;
  /** Its recipients in the order of their positions. */
  recipients: Pick<EmailRecipient, "address" | "state" | "settledAt">[];
}

/** Opens and clicks: one row per e-mail, recipient and kind, however many there are. */
export interface Tracking {
  /**
   * Finds the e-mails of these rows, which are neither deleted nor erased until the transaction ends; those that are
   * deleted are left out.
   */
  find(rows: readonly number[]): Promise<TrackedEmail[]>;
  /** Returns the workspaces of the e-mails of these rows, and waits for no lock; those that are deleted are left out. */
  workspacesOf(rows: readonly number[]): Promise<ReadonlyMap<number, number>>;
  /**
   * Adds hits to those of their e-mails, if these exist. Returns those with the first hit of a person, each once over all
   * calls and processes; never if that hit came later than `withinMs` after the first. `piece` is a number of the
   * caller's for these hits: where the last hits that were added had the same, nothing is added, so that a call whose
   * commit nobody confirmed can be repeated.
   */
  add(hits: readonly NewHits[], withinMs: number, piece: number): Promise<HitsKey[]>;
  /** Lists the hits on an e-mail by its row: opens first, then by position. */
  list(row: number): Promise<RecipientHits[]>;
}
