// Printed by `npm run docs:routes` from the table of routes.
import type { PageOf } from "../page-of.ts";
import type { Message, Workspace } from "./schemas.ts";

/** Lines of the contract about workspaces. */
export interface WorkspacesLines {
  /** List your workspaces. */
  "GET /workspaces": {
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
    };
    reply: PageOf<Workspace>;
  };
  /** Create a workspace. */
  "POST /workspaces": {
    fields: {
      /** At most 100 characters on one line, without a link. */
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
      /** At most 100 characters on one line, without a link. */
      name?: string | undefined;
    };
    reply: Workspace;
  };
  /** Delete the workspace. */
  "DELETE /workspaces/current": {
    fields: {
      /** The workspace's name, to confirm what is deleted. */
      name: string;
    };
    reply: Message;
  };
}
