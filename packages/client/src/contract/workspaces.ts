// Printed by `npm run docs:routes` from the table of routes.
import type { PageOf } from "../page-of.ts";
import type { Message, Workspace } from "./schemas.ts";

/** Lines of the contract about workspaces. */
export interface WorkspacesLines {
  /** List your workspaces. */
  "GET /workspaces": {
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
    };
    reply: PageOf<Workspace>;
  };
  /** Create a workspace. */
  "POST /workspaces": {
    fields: {
      /** The workspace's name: at most 100 characters on one line, without a link. */
      name: string;
    };
    reply: Workspace;
  };
  /** Read the workspace. */
  "GET /workspaces/current": {
    fields: Record<never, never>;
    reply: Workspace;
  };
  /** Change the workspace. */
  "PUT /workspaces/current": {
    fields: {
      /** The workspace's name: at most 100 characters on one line, without a link. */
      name?: string | undefined;
    };
    reply: Workspace;
  };
  /** Delete the workspace. */
  "DELETE /workspaces/current": {
    fields: {
      /** The workspace's name, to confirm the deletion. */
      name: string;
    };
    reply: Message;
  };
}
