// Printed by `npm run docs:routes` from the table of routes.
import type { PageOf } from "../page-of.ts";
import type { Domain } from "./schemas.ts";

/** Lines of the contract about domains. */
export interface DomainsLines {
  /** Add a sending domain. */
  "POST /workspaces/current/domains": {
    fields: {
      /** The domain: one that can be registered, or one beneath it. International names are turned into punycode. */
      name: string;
      /**
       * Whether mail from domains beneath it counts as its own, and is signed with its key. A domain beneath it that was
       * added itself goes first. Default false.
       */
      include_subdomains?: boolean | undefined;
      /** What stands before the domain's name in that of its return paths, at most 100 characters. Default `bounces`. */
      return_path?: string | undefined;
      /**
       * `required`: mail from it is handed only to mail servers that speak TLS, and waits for one. Default
       * `opportunistic`.
       */
      tls?: "opportunistic" | "required" | undefined;
    };
    reply: Domain;
  };
  /** List sending domains. */
  "GET /workspaces/current/domains": {
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
    reply: PageOf<Domain>;
  };
  /** Read a sending domain. */
  "GET /workspaces/current/domains/{id}": {
    fields: {
      /** The domain's id, a UUID. */
      id: string | number;
    };
    reply: Domain;
  };
  /** Change a sending domain. */
  "PUT /workspaces/current/domains/{id}": {
    fields: {
      /** The domain's id, a UUID. */
      id: string | number;
      /**
       * Whether mail from domains beneath it counts as its own, and is signed with its key. A domain beneath it that was
       * added itself goes first. Default false.
       */
      include_subdomains?: boolean | undefined;
      /** What stands before the domain's name in that of its return paths, at most 100 characters. Default `bounces`. */
      return_path?: string | undefined;
      /**
       * `required`: mail from it is handed only to mail servers that speak TLS, and waits for one. Default
       * `opportunistic`.
       */
      tls?: "opportunistic" | "required" | undefined;
    };
    reply: Domain;
  };
  /** Remove a sending domain. */
  "DELETE /workspaces/current/domains/{id}": {
    fields: {
      /** The domain's id, a UUID. */
      id: string | number;
    };
    reply: undefined;
  };
  /** Verify a sending domain's DNS records now. */
  "POST /workspaces/current/domains/{id}/verify": {
    fields: {
      /** The domain's id, a UUID. */
      id: string | number;
    };
    reply: Domain;
  };
  /** Rotate the DKIM keys. */
  "POST /workspaces/current/domains/{id}/rotate-dkim": {
    fields: {
      /** The domain's id, a UUID. */
      id: string | number;
    };
    reply: Domain;
  };
}
