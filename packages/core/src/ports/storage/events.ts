import type { Listing, Slice } from "./paging.ts";
import type { Removal } from "./retention.ts";

/** Category of an event (decisions §11). */
export type EventCategory = "audit" | "email" | "webhook" | "campaign" | "system";

/** Fields of all events, whatever their type. */
export interface EventSummary {
  /** The event's category. */
  category: EventCategory;
  /** The event's workspace; `undefined` for none. */
  workspaceId: number | undefined;
  /** The user whose personal security log contains it. */
  userId: number | undefined;
  /** Number of the user who acted; `undefined` for keys, the operator and the service. */
  actorId: number | undefined;
  /** Name of the actor at that time. */
  actorName: string;
  /** IP address of the client; empty if there was none. */
  clientIp: string;
  /** A sentence that describes the event. */
  message: string;
  /** When it happened, ms since the epoch. */
  createdAt: number;
}

/** A stored event; the audit logs and the stream use the same rows (decisions §11). */
export interface EventRecord extends EventSummary {
  /** The event's number, which grows in the order of commits within a process. */
  id: number;
  /** The event's type, such as `email.sent`. */
  type: string;
  /** Details as JSON text. */
  metadata: string;
  /** Id of the e-mail, for `listAbout`. It is written only for rare events. */
  emailId?: string | undefined;
}

/** An event to append. */
export type NewEvent = Omit<EventRecord, "id">;

/** Filters of a list of events. All given ones must match. */
export interface EventFilter {
  /** The workspace's number, or `all` for all events, including those without a workspace. */
  workspaceId: number | "all";
  /** Only events of this user's personal log. */
  userId?: number | undefined;
  /** Only events of this category. */
  category?: EventCategory | undefined;
  /** Only events of this type, such as `email.sent`. */
  type?: string | undefined;
  /**
   * Only events at or after this time, ms since the epoch. One from a clock that was ahead by more than a day may be left
   * out: the search begins with what was appended about a day before.
   */
  since?: number | undefined;
}

/** What a look at the events after an id found. */
export interface EventsAfter {
  /** The events that match, at most as many as were asked for. */
  events: EventRecord[];
  /** Id up to which the events were looked through, to go on from. */
  upTo: number;
  /** Whether there may be more of them. */
  isMore: boolean;
}

/** Events, for the audit logs and the stream. Rows are never changed. */
export interface Events {
  /** Appends events in their order. They are visible after the commit. */
  append(events: Omit<EventRecord, "id">[]): Promise<void>;
  /** Lists them, newest first. */
  list(filter: EventFilter, slice: Slice): Promise<Listing<EventRecord>>;
  /** Lists events about an e-mail after its acceptance, oldest first, at most `limit`. */
  listAbout(emailId: string, limit: number): Promise<EventRecord[]>;
  /**
   * Looks through the next events after the one with id `after` (all, for 0), oldest first. An event that another process
   * is still committing holds back the later ones, so that none appears before an event that was already returned. One
   * look is bounded: a filter that matches few events would otherwise read all of them at once.
   */
  listAfter(after: number, filter: EventFilter, limit: number): Promise<EventsAfter>;
  /** Returns the id of the newest event that `listAfter` would return, to follow from; 0 for none. */
  lastId(): Promise<number>;
  /** Returns the id of the last event that was ever deleted, to tell a reader from before it; 0 for none. */
  lastRemoved(): Promise<number>;
  /** Deletes rows from before a time among the next `limit` after the id `after`. Default: from the first. */
  deleteBefore(before: number, limit: number, after?: number): Promise<Removal>;
}
