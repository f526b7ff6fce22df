// Printed by `npm run docs:routes` from the table of routes.
import type { PageOf } from "../page-of.ts";
import type { Event } from "./schemas.ts";

/** Lines of the contract about audit log. */
export interface AuditLogLines {
  /** List the workspace's audit events. */
  "GET /workspaces/current/audit-log": {
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
      /**
       * Lists only events of this category: `audit`, `campaign`, `webhook` (webhooks that were switched off) or `system`
       * (mail servers that went down). Default audit. `email` finds nothing.
       */
      category?: "audit" | "email" | "webhook" | "campaign" | "system" | undefined;
    };
    reply: PageOf<Event>;
  };
}
