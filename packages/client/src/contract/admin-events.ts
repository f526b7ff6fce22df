// Printed by `npm run docs:routes` from the table of routes.
import type { PageOf } from "../page-of.ts";
import type { Event, EventPosition } from "./schemas.ts";

/** Lines of the contract about admin events. */
export interface AdminEventsLines {
  /** List the platform's events. */
  "GET /admin/events": {
    fields: {
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
      workspace_id?: number | undefined;
      /** Only events at or after this time, ISO 8601 with an offset. */
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
