// Printed by `npm run docs:routes` from the table of routes.
import type { PageOf } from "../page-of.ts";
import type { Stylesheet } from "./schemas.ts";

/** Lines of the contract about stylesheets. */
export interface StylesheetsLines {
  /** Create a stylesheet. */
  "POST /workspaces/current/stylesheets": {
    fields: {
      /**
       * The stylesheet's name, unique in the workspace: 1 to 100 characters on one line. Stylesheets are inlined in the
       * order of their names.
       */
      name: string;
      /**
       * CSS that is inlined into every template of the workspace, in the order of the stylesheets' names; at most 256
       * KiB.
       */
      css: string;
    };
    reply: Stylesheet;
  };
  /** List stylesheets. */
  "GET /workspaces/current/stylesheets": {
    fields: {
      /** Which page, counted from 1; 0 answers the first, too. Default 1. */
      page?: number | undefined;
      /** Number of items per page, 1 to 100. Default 20. */
      size?: number | undefined;
      /**
       * Cursor, in place of `page`: the `after` of the previous page. New items do not shift the list, and every page
       * costs the same, however deep it is.
       */
      after?: string | undefined;
    };
    reply: PageOf<Stylesheet>;
  };
  /** Read a stylesheet. */
  "GET /workspaces/current/stylesheets/{id}": {
    fields: {
      /** The stylesheet's id, a UUID. */
      id: string | number;
    };
    reply: Stylesheet;
  };
  /** Change a stylesheet. */
  "PUT /workspaces/current/stylesheets/{id}": {
    fields: {
      /** The stylesheet's id, a UUID. */
      id: string | number;
      /** The stylesheet's name, unique in the workspace: 1 to 100 characters on one line. */
      name?: string | undefined;
      /**
       * CSS that is inlined into every template of the workspace, in the order of the stylesheets' names; at most 256
       * KiB.
       */
      css?: string | undefined;
    };
    reply: Stylesheet;
  };
  /** Delete a stylesheet. */
  "DELETE /workspaces/current/stylesheets/{id}": {
    fields: {
      /** The stylesheet's id, a UUID. */
      id: string | number;
    };
    reply: undefined;
  };
}
