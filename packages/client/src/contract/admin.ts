// Printed by `npm run docs:routes` from the table of routes.
import type { PageOf } from "../page-of.ts";
import type {
  AdministeredUser,
  AdministeredWorkspace,
  EnsuredWorkspace,
  Event,
  EventPosition,
  Member,
  Message,
  Plan,
  PlanHolder,
  QueueChange,
  QueueStatus,
  RevokedSessions,
  Session,
  UserPlan,
  UserPlanAssignment,
  WorkspacePlan,
  WorkspacePlanAssignment,
} from "./schemas.ts";

/** Lines of the contract about admin. */
export interface AdminLines {
  /** Delete a user's account. */
  "DELETE /admin/users/{userId}": {
    fields: {
      /** The user's number. */
      userId: string | number;
    };
    reply: Message;
  };
  /** Read a user. */
  "GET /admin/users/{userId}": {
    fields: {
      /** The user's number. */
      userId: string | number;
    };
    reply: AdministeredUser;
  };
  /** List users. */
  "GET /admin/users": {
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
      /** Part of the name or the address. */
      q?: string | undefined;
    };
    reply: PageOf<AdministeredUser>;
  };
  /** Make a user. */
  "POST /admin/users": {
    fields: {
      /** The person's name, at most 100 characters on one line, without a web address. */
      name: string;
      /** An e-mail address without a name, at most 254 characters. */
      email: string;
      /** The password. */
      password: string;
      /** Whether they administer the platform. Default false. */
      is_admin?: boolean | undefined;
    };
    reply: AdministeredUser;
  };
  /** Make a user an administrator. */
  "POST /admin/users/{userId}/administrator": {
    fields: {
      /** The user's number. */
      userId: string | number;
    };
    reply: AdministeredUser;
  };
  /** Take administrator rights from a user. */
  "DELETE /admin/users/{userId}/administrator": {
    fields: {
      /** The user's number. */
      userId: string | number;
    };
    reply: AdministeredUser;
  };
  /** List a user's sessions. */
  "GET /admin/users/{userId}/sessions": {
    fields: {
      /** The user's number. */
      userId: string | number;
    };
    reply: Session[];
  };
  /** Revoke all of a user's sessions. */
  "DELETE /admin/users/{userId}/sessions": {
    fields: {
      /** The user's number. */
      userId: string | number;
    };
    reply: RevokedSessions;
  };
  /** Make sure of a user under an id of your own. */
  "PUT /admin/users/by-external-id/{externalId}": {
    fields: {
      /** The host's own name for it: 1 to 200 characters on one line, compared letter by letter. */
      externalId: string | number;
      /** The person's name, at most 100 characters on one line, without a web address. */
      name: string;
      /** An e-mail address without a name, at most 254 characters. */
      email: string;
    };
    reply: AdministeredUser;
  };
  /** Tie an account to an id of your own. */
  "PUT /admin/users/{userId}/external-id": {
    fields: {
      /** The user's number. */
      userId: string | number;
      /** The host's own name for it: 1 to 200 characters on one line, compared letter by letter. */
      external_id: string;
    };
    reply: AdministeredUser;
  };
  /** Disable a user's two-factor login. */
  "DELETE /admin/users/{userId}/2fa": {
    fields: {
      /** The user's number. */
      userId: string | number;
    };
    reply: Message;
  };
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
  /** Read how far the log of events goes. */
  "GET /admin/events/position": {
    fields: Record<never, never>;
    reply: EventPosition;
  };
  /** List all workspaces. */
  "GET /admin/workspaces": {
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
      /** Part of the name. */
      q?: string | undefined;
    };
    reply: PageOf<AdministeredWorkspace>;
  };
  /** Read any workspace. */
  "GET /admin/workspaces/{id}": {
    fields: {
      /** The workspace's number. */
      id: string | number;
    };
    reply: AdministeredWorkspace;
  };
  /** Add a member without an invitation. */
  "POST /admin/workspaces/{id}/members": {
    fields: {
      /** The workspace's number. */
      id: string | number;
      /** The user's number. */
      user_id: number;
      /** admin, editor or viewer; owner, where the workspace has none. */
      role: "owner" | "admin" | "editor" | "viewer";
    };
    reply: Member;
  };
  /** Make sure of a workspace under an id of your own. */
  "PUT /admin/workspaces/by-external-id/{externalId}": {
    fields: {
      /** The host's own name for it: 1 to 200 characters on one line, compared letter by letter. */
      externalId: string | number;
      /** At most 100 characters on one line, without a link. */
      name: string;
      /** The user who becomes its owner, where it has none. */
      user_id?: number | undefined;
    };
    reply: EnsuredWorkspace;
  };
  /** Vouch for a workspace. */
  "POST /admin/workspaces/{id}/trust": {
    fields: {
      /** The workspace's number. */
      id: string | number;
    };
    reply: AdministeredWorkspace;
  };
  /** Withdraw the trust in a workspace. */
  "DELETE /admin/workspaces/{id}/trust": {
    fields: {
      /** The workspace's number. */
      id: string | number;
    };
    reply: AdministeredWorkspace;
  };
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
  /** List whom a plan is assigned to. */
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
  /** Assign a plan to a workspace. */
  "POST /admin/workspaces/{id}/plan": {
    fields: {
      /** The workspace's number. */
      id: string | number;
      /** The plan's number. */
      plan_id: number;
    };
    reply: WorkspacePlanAssignment;
  };
  /** Read a workspace's plan. */
  "GET /admin/workspaces/{id}/plan": {
    fields: {
      /** The workspace's number. */
      id: string | number;
    };
    reply: WorkspacePlan;
  };
  /** Put a workspace back under the default plan. */
  "DELETE /admin/workspaces/{id}/plan": {
    fields: {
      /** The workspace's number. */
      id: string | number;
    };
    reply: undefined;
  };
  /** Assign a plan to a user. */
  "POST /admin/users/{id}/plan": {
    fields: {
      /** The user's number. */
      id: string | number;
      /** The plan's number. */
      plan_id: number;
    };
    reply: UserPlanAssignment;
  };
  /** Read a user's plan. */
  "GET /admin/users/{id}/plan": {
    fields: {
      /** The user's number. */
      id: string | number;
    };
    reply: UserPlan;
  };
  /** Put a user back under the default plan. */
  "DELETE /admin/users/{id}/plan": {
    fields: {
      /** The user's number. */
      id: string | number;
    };
    reply: undefined;
  };
  /** Read how the queue stands, with what is held, who delivers and what failed of late. */
  "GET /admin/queue": {
    fields: Record<never, never>;
    reply: QueueStatus;
  };
  /** Deliver no e-mail, or none of one route, until resumed. */
  "POST /admin/queue/pause": {
    fields: {
      /** The route by its name, such as `w:7` for workspace 7; without it, or with `*`, all. */
      route?: string | undefined;
      /** Why, for whoever looks at the queue. */
      reason?: string | undefined;
    };
    reply: QueueChange;
  };
  /** Deliver e-mails again, or those of one route. */
  "POST /admin/queue/resume": {
    fields: {
      /** The route by its name, such as `w:7` for workspace 7; without it, or with `*`, all. */
      route?: string | undefined;
      /**
       * Of a restored copy: cancels what fell due before, as it may have been sent since, and pauses campaigns that went
       * on then; ISO 8601 with an offset.
       */
      drop_due_before?: string | undefined;
    };
    reply: QueueChange;
  };
}
