import type { EmailRecipient } from "./email-recipients.ts";
import type { Email } from "./emails.ts";

/** What a reader did: loaded the tracking image, or followed a tracked link. */
export type HitKind = "open" | "click";

/** What kind of program made a hit, by its user agent; `unknown` if it named none. */
export type AgentClass = "browser" | "mail_program" | "image_proxy" | "machine" | "unknown";

/** Why a hit is taken for a program's that no reader watched (platform.md P11). */
export type MachineReason =
  | "prefetch_header"
  | "known_agent"
  | "image_proxy_prefetch"
  | "too_soon"
  | "burst"
  | "trap";

/** Hits of one kind on the e-mail to one recipient, added up. */
export interface RecipientHits {
  /** The recipient's position in the e-mail, from 0; `undefined` if several shared the message. */
  position: number | undefined;
  /** Their kind. */
  kind: HitKind;
  /** Number of hits. */
  count: number;
  /** Number of those that a person made. */
  humanCount: number;
  /** Time of the first, ms of queue time. */
  firstAt: number;
  /** Time of the first that a person made, ms of queue time; `undefined` if there is none. */
  firstHumanAt: number | undefined;
  /** The program that made the last. */
  agentClass: AgentClass;
  /** Why the last that a machine made was taken for one; `undefined` if there is none. */
  machineReason: MachineReason | undefined;
  /** Address of the last, of which only the network unless the workspace keeps details; `undefined` if not known. */
  address: string | undefined;
  /** User agent of the last, if the workspace keeps details. */
  agent: string | undefined;
}

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
  /** The fields that its events have. */
  email: Pick<Email, "id" | "workspaceId" | "campaignId" | "from" | "subject" | "tags" | "metadata">;
  /** Its recipients in the order of their positions. */
  recipients: Pick<EmailRecipient, "address" | "state" | "settledAt">[];
}

/** Opens and clicks: one row per e-mail, recipient and kind, however many there are. */
export interface Tracking {
  /** Finds the e-mails of these rows; those that are deleted are left out. */
  find(rows: readonly number[]): Promise<TrackedEmail[]>;
  /**
   * Adds hits to those of their e-mails, if these exist. Returns those with the first hit of a person, each once over all
   * calls and processes; never if that hit came later than `withinMs` after the first.
   */
  add(hits: readonly NewHits[], withinMs: number): Promise<HitsKey[]>;
  /** Lists the hits on an e-mail by its row: opens first, then by position. */
  list(row: number): Promise<RecipientHits[]>;
}
