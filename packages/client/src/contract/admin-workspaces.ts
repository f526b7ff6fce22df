// Printed by `npm run docs:routes` from the table of routes.
import type { PageOf } from "../page-of.ts";
import type { AdministeredWorkspace, Member, WorkspacePlan, WorkspacePlanAssignment } from "./schemas.ts";

/** Lines of the contract about admin workspaces. */
export interface AdminWorkspacesLines {
  /** List all workspaces. */
  "GET /admin/workspaces": {
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
      /** Lists only workspaces whose name contains this text. */
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
      /** The member's role: admin, editor or viewer; owner only if the workspace has none. */
      role: "owner" | "admin" | "editor" | "viewer";
    };
    reply: Member;
  };
  /** Trust a workspace. */
  "POST /admin/workspaces/{id}/trust": {
    fields: {
      /** The workspace's number. */
      id: string | number;
    };
    reply: AdministeredWorkspace;
  };
  /** Withdraw trust from a workspace. */
  "DELETE /admin/workspaces/{id}/trust": {
    fields: {
      /** The workspace's number. */
      id: string | number;
    };
    reply: AdministeredWorkspace;
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
  /** Unassign a workspace's plan. */
  "DELETE /admin/workspaces/{id}/plan": {
    fields: {
      /** The workspace's number. */
      id: string | number;
    };
    reply: undefined;
  };
}
