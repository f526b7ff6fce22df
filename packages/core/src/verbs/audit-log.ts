// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.

import type { Page } from "../calls/paging.ts";
import type { LoggedEvent } from "../events/event-view.ts";
import type { CallShapes } from "./call-options.ts";

/** What `listForWorkspace` takes. */
export interface ListWorkspaceAuditLogInput {
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
}

/** What `listMine` takes. */
export interface ListMyAuditLogInput {
  /** Which page, counted from 0. Default 0. */
  page?: number | undefined;
  /** Items a page, 1 to 100. Default 20. */
  size?: number | undefined;
  /**
   * In place of `page`: the `after` of a former page. The list goes on behind it, whatever came in since, and costs
   * the same however deep that is.
   */
  after?: string | undefined;
}

/** Who changed what. */
export interface AuditLogVerbs<K extends CallShapes = CallShapes> {
  /**
   * The workspace's audit log, newest first (service.md, Audit logs and events). It holds the category audit only, so
   * any other category finds nothing.
   */
  listForWorkspace(input?: ListWorkspaceAuditLogInput, ...call: K["workspace"]): Promise<Page<LoggedEvent>>;
  /** The caller's own security log: logins, passwords, two-factor login, sessions (service.md, Audit logs and events). */
  listMine(input?: ListMyAuditLogInput, ...call: K["user"]): Promise<Page<LoggedEvent>>;
}
