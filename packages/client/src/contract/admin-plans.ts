// Printed by `npm run docs:routes` from the table of routes.
import type { PageOf } from "../page-of.ts";
import type { Message, Plan, PlanHolder } from "./schemas.ts";

/** Lines of the contract about admin plans. */
export interface AdminPlansLines {
  /** Create a plan. */
  "POST /admin/plans": {
    fields: {
      /** Unique; 1 to 100 characters on one line. */
      name: string;
      /** For people; at most 1,000 characters. */
      description?: string | undefined;
      /** Whether it governs whoever has no plan assigned. The former default plan is unset. */
      is_default?: boolean | undefined;
      /** Whether it can be assigned. Who has an inactive plan keeps it. */
      is_active?: boolean | undefined;
      /** Recipients a day (UTC) that a workspace may send to. 0 is unlimited. */
      daily_rate_limit?: number | undefined;
      /** Recipients an hour that a workspace may send to. 0 is unlimited. */
      hourly_rate_limit?: number | undefined;
      /** Largest attachment, MB. 0 is unlimited. */
      max_attachment_size_mb?: number | undefined;
      /** Most recipients of a batch. 0 is unlimited. */
      max_batch_size?: number | undefined;
      /** Most API keys of a workspace. 0 is unlimited. */
      max_api_keys?: number | undefined;
      /** Most sending domains of a workspace. 0 is unlimited. */
      max_domains?: number | undefined;
      /** Most SMTP servers of a workspace. 0 is unlimited. */
      max_smtp_servers?: number | undefined;
      /** Most workspaces that a user may own. 0 is unlimited. */
      max_workspaces?: number | undefined;
      /** Days that the e-mail log is kept. 0 is unlimited. */
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
      /** Unique; 1 to 100 characters on one line. */
      name?: string | undefined;
      /** For people; at most 1,000 characters. */
      description?: string | undefined;
      /** Whether it governs whoever has no plan assigned. The former default plan is unset. */
      is_default?: boolean | undefined;
      /** Whether it can be assigned. Who has an inactive plan keeps it. */
      is_active?: boolean | undefined;
      /** Recipients a day (UTC) that a workspace may send to. 0 is unlimited. */
      daily_rate_limit?: number | undefined;
      /** Recipients an hour that a workspace may send to. 0 is unlimited. */
      hourly_rate_limit?: number | undefined;
      /** Largest attachment, MB. 0 is unlimited. */
      max_attachment_size_mb?: number | undefined;
      /** Most recipients of a batch. 0 is unlimited. */
      max_batch_size?: number | undefined;
      /** Most API keys of a workspace. 0 is unlimited. */
      max_api_keys?: number | undefined;
      /** Most sending domains of a workspace. 0 is unlimited. */
      max_domains?: number | undefined;
      /** Most SMTP servers of a workspace. 0 is unlimited. */
      max_smtp_servers?: number | undefined;
      /** Most workspaces that a user may own. 0 is unlimited. */
      max_workspaces?: number | undefined;
      /** Days that the e-mail log is kept. 0 is unlimited. */
      email_log_retention_days?: number | undefined;
    };
    reply: Plan;
  };
  /** Delete a plan. */
  "DELETE /admin/plans/{id}": {
    fields: {
      /** The plan's number. */
      id: string | number;
      /** Whether a plan that is assigned is unassigned first, from workspaces and users. Default false. */
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
      /** Which page, counted from 0. Default 0. */
      page?: number | undefined;
      /** Items a page, 1 to 100. Default 20. */
      size?: number | undefined;
      /**
       * In place of `page`: the `after` of a former page. The list goes on behind it, whatever came in since, and costs
       * the same however deep that is.
       */
      after?: string | undefined;
    };
    reply: PageOf<PlanHolder>;
  };
}
