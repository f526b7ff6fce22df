// Printed by `npm run docs:routes` from the table of routes.
import type { PageOf } from "../page-of.ts";
import type { Event } from "./schemas.ts";

/** Lines of the contract about audit log. */
export interface AuditLogLines {
  /** List the workspace's audit events. */
  "GET /workspaces/current/audit-log": {
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
      /** Only events of this category. Default audit. */
      category?: "audit" | "email" | "webhook" | "campaign" | "system" | undefined;
    };
    reply: PageOf<Event>;
  };
}
