// Printed by `npm run docs:routes` from the table of routes.
import type { PageOf } from "../page-of.ts";
import type { Message, Plan, PlanHolder } from "./schemas.ts";

/** Lines of the contract about admin plans. */
export interface AdminPlansLines {
  /** Create a plan. */
  "POST /admin/plans": {
    fields: {
      /** The plan's name: unique, 1 to 100 characters on one line. */
      name: string;
      /** A description of at most 1,000 characters. */
      description?: string | undefined;
      /** Whether the plan applies to everyone without an assigned plan. It replaces the previous default plan. */
      is_default?: boolean | undefined;
      /** Whether the plan can be assigned. Existing assignments of an inactive plan stay. */
      is_active?: boolean | undefined;
      /** Maximum recipients per day (UTC) and workspace. 0 is unlimited. */
      daily_rate_limit?: number | undefined;
      /** Maximum recipients per hour and workspace. 0 is unlimited. */
      hourly_rate_limit?: number | undefined;
      /** Maximum size of an attachment in MB. 0 is unlimited. */
      max_attachment_size_mb?: number | undefined;
      /** Maximum recipients of a batch. 0 is unlimited. */
      max_batch_size?: number | undefined;
      /** Maximum API keys per workspace. 0 is unlimited. */
      max_api_keys?: number | undefined;
      /** Maximum sending domains per workspace. 0 is unlimited. */
      max_domains?: number | undefined;
      /** Maximum SMTP servers per workspace. 0 is unlimited. */
      max_smtp_servers?: number | undefined;
      /** Maximum workspaces that a user may own. 0 is unlimited. */
      max_workspaces?: number | undefined;
      /** Retention period of the e-mail log in days. 0 is unlimited. */
      email_log_retention_days?: number | undefined;
    };
    reply: Plan;
  };
  /** List plans. */
  "GET /admin/plans": {
    fields: Record<never, never>;
    reply: Plan[];
  };
  /** Read a plan. */
  "GET /admin/plans/{id}": {
    fields: {
      /** The plan's number. */
      id: string | number;
    };
    reply: Plan;
  };
  /** Change a plan. */
  "PUT /admin/plans/{id}": {
    fields: {
      /** The plan's number. */
      id: string | number;
      /** The plan's name: unique, 1 to 100 characters on one line. */
      name?: string | undefined;
      /** A description of at most 1,000 characters. */
      description?: string | undefined;
      /** Whether the plan applies to everyone without an assigned plan. It replaces the previous default plan. */
      is_default?: boolean | undefined;
      /** Whether the plan can be assigned. Existing assignments of an inactive plan stay. */
      is_active?: boolean | undefined;
      /** Maximum recipients per day (UTC) and workspace. 0 is unlimited. */
      daily_rate_limit?: number | undefined;
      /** Maximum recipients per hour and workspace. 0 is unlimited. */
      hourly_rate_limit?: number | undefined;
      /** Maximum size of an attachment in MB. 0 is unlimited. */
      max_attachment_size_mb?: number | undefined;
      /** Maximum recipients of a batch. 0 is unlimited. */
      max_batch_size?: number | undefined;
      /** Maximum API keys per workspace. 0 is unlimited. */
      max_api_keys?: number | undefined;
      /** Maximum sending domains per workspace. 0 is unlimited. */
      max_domains?: number | undefined;
      /** Maximum SMTP servers per workspace. 0 is unlimited. */
      max_smtp_servers?: number | undefined;
      /** Maximum workspaces that a user may own. 0 is unlimited. */
      max_workspaces?: number | undefined;
      /** Retention period of the e-mail log in days. 0 is unlimited. */
      email_log_retention_days?: number | undefined;
    };
    reply: Plan;
  };
  /** Delete a plan. */
  "DELETE /admin/plans/{id}": {
    fields: {
      /** The plan's number. */
      id: string | number;
      /** Whether to delete a plan that is assigned, after unassigning it from workspaces and users. Default false. */
      force?: boolean | undefined;
    };
    reply: Message;
  };
  /** Make a plan the default. */
  "PATCH /admin/plans/{id}/default": {
    fields: {
      /** The plan's number. */
      id: string | number;
    };
    reply: Plan;
  };
  /** List a plan's holders. */
  "GET /admin/plans/{id}/holders": {
    fields: {
      /** The plan's number. */
      id: string | number;
      /** Number of the page, counted from 0. Default 0. */
      page?: number | undefined;
      /** Number of items per page, 1 to 100. Default 20. */
      size?: number | undefined;
      /**
       * Cursor, in place of `page`: the `after` of the previous page. New items do not shift the list, and every page
       * costs the same, however deep it is.
       */
      after?: string | undefined;
    };
    reply: PageOf<PlanHolder>;
  };
}
