// Printed by `npm run docs:routes` from the table of routes.
import type { PageOf } from "../page-of.ts";
import type { Event, EventPosition } from "./schemas.ts";

/** Lines of the contract about admin events. */
export interface AdminEventsLines {
  /** List the platform's events. */
  "GET /admin/events": {
    fields: {
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
      workspace_id?: number | undefined;
      /** Lists only events at or after this time, ISO 8601 with an offset. */
      since?: string | undefined;
    };
    reply: PageOf<Event>;
  };
  /** Read the event log's position. */
  "GET /admin/events/position": {
    fields: Record<never, never>;
    reply: EventPosition;
  };
}
