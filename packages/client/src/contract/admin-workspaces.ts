// Printed by `npm run docs:routes` from the table of routes.
import type { PageOf } from "../page-of.ts";
import type {
  AdministeredWorkspace,
  EnsuredWorkspace,
  Member,
  WorkspacePlan,
  WorkspacePlanAssignment,
} from "./schemas.ts";

/** Lines of the contract about admin workspaces. */
export interface AdminWorkspacesLines {
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
  /** Create or update a workspace by external id. */
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
