import type { Listing, Slice } from "./paging.ts";

/** What kind of event it is (decisions §11). */
export type EventCategory = "audit" | "email" | "webhook" | "campaign" | "system";

/** What is told of every event, of whatever type. */
export interface EventSummary {
  /** What kind of event it is. */
  category: EventCategory;
  /** The workspace that it belongs to; `undefined` for none. */
  workspaceId: number | undefined;
  /** Whose personal security log it belongs to. */
  userId: number | undefined;
  /** The user who did it; `undefined` for keys, the operator and the service. */
  actorId: number | undefined;
  /** Who did it, as they were called then. */
  actorName: string;
  /** Where the call came from; empty where there was none. */
  clientIp: string;
  /** What happened, in a sentence. */
  message: string;
  /** When it happened, ms since the epoch. */
  createdAt: number;
}

/** One record serves the audit logs and the stream (decisions §11). */
export interface EventRecord extends EventSummary {
  /** Grows in the order of commits within a process. */
  id: number;
  /** What happened, such as `email.sent`. */
  type: string;
  /** JSON text. */
  metadata: string;
  /** What `listAbout` finds it by; only written, and only of events that are rare. */
  emailId?: string | undefined;
}

/** An event that is yet to be kept. */
export type NewEvent = Omit<EventRecord, "id">;

/** Which events to list; each that is given must fit. */
export interface EventFilter {
  /** `all`: whatever workspace they are of, and those of none. */
  workspaceId: number | "all";
  /** Those of this user's personal log. */
  userId?: number | undefined;
  /** Those of this category. */
  category?: EventCategory | undefined;
  /** Those of this type, such as `email.sent`. */
  type?: string | undefined;
  /** Those at or after this time, ms since the epoch. */
  since?: number | undefined;
}

/** What happened, for the audit logs and the stream. Rows are never changed. */
export interface Events {
  /** Keeps events in their order. Nobody sees them before the commit. */
  append(events: Omit<EventRecord, "id">[]): Promise<void>;
  /** Newest first. */
  list(filter: EventFilter, slice: Slice): Promise<Listing<EventRecord>>;
  /** What was done with an e-mail after it was accepted, oldest first, at most `limit`. */
  listAbout(emailId: string, limit: number): Promise<EventRecord[]>;
  /**
   * Events after the one with id `after` (all, for 0), oldest first. An event still being committed by another process holds back
   * those behind it, so that none slips in before an event already returned.
   */
  listAfter(after: number, filter: EventFilter, limit: number): Promise<EventRecord[]>;
  /** The id to follow from: that of the newest event that `listAfter` would return; 0 for none. */
  lastId(): Promise<number>;
  /** Removes what is from before a time, at most `limit` rows; how many. */
  deleteBefore(before: number, limit: number): Promise<number>;
}
