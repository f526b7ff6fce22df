// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.

import type { Page } from "../calls/paging.ts";
import type { LoggedEvent } from "../events/event-view.ts";
import type { CallShapes } from "./call-options.ts";

/** What `listForWorkspace` takes. */
export interface ListWorkspaceAuditLogInput {
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
}

/** What `listMine` takes. */
export interface ListMyAuditLogInput {
  /** Number of the page, counted from 0. Default 0. */
  page?: number | undefined;
  /** Number of items per page, 1 to 100. Default 20. */
  size?: number | undefined;
  /**
   * Cursor, in place of `page`: the `after` of the previous page. New items do not shift the list, and every page
   * costs the same, however deep it is.
   */
  after?: string | undefined;
}

/** Audit logs: changes and who made them. */
export interface AuditLogVerbs<K extends CallShapes = CallShapes> {
  /**
   * Lists the workspace's audit log, newest first (service.md, Audit logs and events): the category `audit`, or
   * another that is asked for. E-mails tell of their own events, so that a filter for `email` finds nothing.
   */
  listForWorkspace(
    this: void,
    input?: ListWorkspaceAuditLogInput,
    ...call: K["workspace"]
  ): Promise<Page<LoggedEvent>>;
  /**
   * Lists the caller's own security log: logins, passwords, two-factor login and sessions (service.md, Audit logs and
   * events).
   */
  listMine(this: void, input?: ListMyAuditLogInput, ...call: K["user"]): Promise<Page<LoggedEvent>>;
}
