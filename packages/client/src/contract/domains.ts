// Printed by `npm run docs:routes` from the table of routes.
import type { PageOf } from "../page-of.ts";
import type { Domain } from "./schemas.ts";

/** Lines of the contract about domains. */
export interface DomainsLines {
  /** Add a sending domain. */
  "POST /workspaces/current/domains": {
    fields: {
      /**
       * The domain's name: one that can be registered, or a subdomain; at most 223 characters. International names are
       * converted to punycode.
       */
      name: string;
      /**
       * Whether the domain also covers its subdomains: mail from them is signed with its key. A subdomain that was added
       * as a domain of its own takes precedence. Default false.
       */
      include_subdomains?: boolean | undefined;
      /** Prefix of the return path's domain, before the domain's name; at most 100 characters. Default `bounces`. */
      return_path?: string | undefined;
      /**
       * Prefix of the host in tracked links and images, before the domain's name; at most 100 characters. Used once its
       * record leads to the operator's tracking host. Default null: they have the host of the service itself.
       */
      tracking?: string | null | undefined;
      /**
       * With `required`, mail from the domain is delivered only over TLS, and waits until a mail server offers it.
       * Default `opportunistic`.
       */
      tls?: "opportunistic" | "required" | undefined;
    };
    reply: Domain;
  };
  /** List sending domains. */
  "GET /workspaces/current/domains": {
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
       * Whether the domain also covers its subdomains: mail from them is signed with its key. A subdomain that was added
       * as a domain of its own takes precedence. Default false.
       */
      include_subdomains?: boolean | undefined;
      /** Prefix of the return path's domain, before the domain's name; at most 100 characters. Default `bounces`. */
      return_path?: string | undefined;
      /**
       * Prefix of the host in tracked links and images, before the domain's name; at most 100 characters. Used once its
       * record leads to the operator's tracking host. Default null: they have the host of the service itself.
       */
      tracking?: string | null | undefined;
      /**
       * With `required`, mail from the domain is delivered only over TLS, and waits until a mail server offers it.
       * Default `opportunistic`.
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
