// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.

import type { Page } from "../calls/paging.ts";
import type { LoggedEvent } from "../events/event-view.ts";
import type { EventPosition } from "../events/get-event-position.ts";
import type { CallShapes, NoInput } from "./call-options.ts";

/** What `list` takes. */
export interface ListEventsInput {
  /** Number of the page, counted from 0. Default 0. */
  page?: number | undefined;
  /** Number of items per page, 1 to 100. Default 20. */
  size?: number | undefined;
  /**
   * Cursor, in place of `page`: the `after` of the previous page. New items do not shift the list, and every page
   * costs the same, however deep it is.
   */
  after?: string | undefined;
  /** Lists only events of this category. */
  category?: "audit" | "email" | "webhook" | "campaign" | "system" | undefined;
  /** Lists only events of this type, such as user.login. */
  type?: string | undefined;
  /** Lists only events of this workspace. */
  workspaceId?: number | undefined;
  /** Lists only events at or after this time, ISO 8601 with an offset, a `Date` or ms since the epoch. */
  since?: string | Date | number | undefined;
}

/** Events of the platform. */
export interface EventsVerbs<K extends CallShapes = CallShapes> {
  /** Lists all events of the platform, newest first (service.md, Audit logs and events). */
  list(this: void, input?: ListEventsInput, ...call: K["any"]): Promise<Page<LoggedEvent>>;
  /** Returns the position of the event log, as a start for followers. */
  getPosition(this: void, input?: NoInput, ...call: K["any"]): Promise<EventPosition>;
}
