// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.

import type { Page } from "../calls/paging.ts";
import type { LoggedEvent } from "../events/event-view.ts";
import type { EventPosition } from "../events/get-event-position.ts";
import type { CallShapes, NoInput } from "./call-options.ts";

/** What `list` takes. */
export interface ListEventsInput {
  /** Which page, counted from 0. Default 0. */
  page?: number | undefined;
  /** Items a page, 1 to 100. Default 20. */
  size?: number | undefined;
  /**
   * In place of `page`: the `after` of a former page. The list goes on behind it, whatever came in since, and costs
   * the same however deep that is.
   */
  after?: string | undefined;
  /** Only events of this category. */
  category?: "audit" | "email" | "webhook" | "campaign" | "system" | undefined;
  /** Only events of this type, such as user.login. */
  type?: string | undefined;
  /** Only events of this workspace. */
  workspaceId?: number | undefined;
  /** Only events at or after this time, ISO 8601 with an offset. */
  since?: string | Date | number | undefined;
}

/** The platform's events. */
export interface EventsVerbs<K extends CallShapes = CallShapes> {
  /** Everything that happened on the platform, newest first (service.md, Audit logs and events). */
  list(input?: ListEventsInput, ...call: K["any"]): Promise<Page<LoggedEvent>>;
  /** The event log's position: where to follow it from. */
  getPosition(input?: NoInput, ...call: K["any"]): Promise<EventPosition>;
}
