// Printed by `npm run docs:routes` from the table of routes.
import type { PageOf } from "../page-of.ts";
import type { SmtpServer, SmtpServerTest } from "./schemas.ts";

/** Lines of the contract about smtp servers. */
export interface SmtpServersLines {
  /** Add a mail server. */
  "POST /workspaces/current/smtp-servers": {
    fields: {
      /** Unique in the workspace; 1 to 100 characters on one line. */
      name: string;
      /** The server's name or public IP address. */
      host: string;
      /** 25, 465, 587 or 2525. Default: 465 with `tls`, else 587. */
      port?: number | undefined;
      /**
       * `tls`: TLS from the first byte. `starttls`: TLS before the login, and no mail without it. `none`: cleartext,
       * without a login. Default `starttls`.
       */
      security?: "none" | "starttls" | "tls" | undefined;
      /** User name of the login; empty for no login. */
      username?: string | undefined;
      /** Password or token of the login, at most 1,000 characters; stored encrypted and never shown. */
      password?: string | undefined;
      /**
       * Senders' domains that the server accepts, at most 100: `shop.example`, or `.shop.example` for its subdomains.
       * Empty: any sender.
       */
      from_domains?: string[] | undefined;
      /** Whether it also accepts mail from domains that no server of the workspace lists. Default false. */
      is_default?: boolean | undefined;
      /** Whether it is used. Default true. */
      is_active?: boolean | undefined;
      /** Order of attempts among several servers, 0 to 100, lowest first. Default 50. */
      priority?: number | undefined;
      /** Maximum simultaneous connections of all processes together, 1 to 50. Default 3. */
      max_connections?: number | undefined;
      /** Maximum messages per second of all processes together, 0.01 to 1,000; null for no limit. */
      max_per_second?: number | null | undefined;
      /** Maximum messages per hour of all processes together, 1 to 3,600,000, spread evenly; null for no limit. */
      max_per_hour?: number | null | undefined;
      /**
       * Return path for bounces (MAIL FROM): `sender`; `verp`, an address of this service that identifies the e-mail, for
       * mail from domains with a verified return path; or an address. Default `sender`.
       */
      return_path?: string | undefined;
    };
    reply: SmtpServer;
  };
  /** List the mail servers. */
  "GET /workspaces/current/smtp-servers": {
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
    reply: PageOf<SmtpServer>;
  };
  /** Read a mail server and its state. */
  "GET /workspaces/current/smtp-servers/{id}": {
    fields: {
      /** The mail server's id, a UUID. */
      id: string | number;
    };
    reply: SmtpServer;
  };
  /** Change a mail server. */
  "PUT /workspaces/current/smtp-servers/{id}": {
    fields: {
      /** The mail server's id, a UUID. */
      id: string | number;
      /** Unique in the workspace; 1 to 100 characters on one line. */
      name?: string | undefined;
      /** The server's name or public IP address. */
      host?: string | undefined;
      /** 25, 465, 587 or 2525. Default: 465 with `tls`, else 587. */
      port?: number | undefined;
      /**
       * `tls`: TLS from the first byte. `starttls`: TLS before the login, and no mail without it. `none`: cleartext,
       * without a login. Default `starttls`.
       */
      security?: "none" | "starttls" | "tls" | undefined;
      /** User name of the login; empty for no login. */
      username?: string | undefined;
      /**
       * A new password, at most 1,000 characters; null or empty for none. Required again if host, port or user name
       * change, or security becomes none.
       */
      password?: string | null | undefined;
      /**
       * Senders' domains that the server accepts, at most 100: `shop.example`, or `.shop.example` for its subdomains.
       * Empty: any sender.
       */
      from_domains?: string[] | undefined;
      /** Whether it also accepts mail from domains that no server of the workspace lists. Default false. */
      is_default?: boolean | undefined;
      /** Whether it is used. Default true. */
      is_active?: boolean | undefined;
      /** Order of attempts among several servers, 0 to 100, lowest first. Default 50. */
      priority?: number | undefined;
      /** Maximum simultaneous connections of all processes together, 1 to 50. Default 3. */
      max_connections?: number | undefined;
      /** Maximum messages per second of all processes together, 0.01 to 1,000; null for no limit. */
      max_per_second?: number | null | undefined;
      /** Maximum messages per hour of all processes together, 1 to 3,600,000, spread evenly; null for no limit. */
      max_per_hour?: number | null | undefined;
      /**
       * Return path for bounces (MAIL FROM): `sender`; `verp`, an address of this service that identifies the e-mail, for
       * mail from domains with a verified return path; or an address. Default `sender`.
       */
      return_path?: string | undefined;
    };
    reply: SmtpServer;
  };
  /** Remove a mail server. */
  "DELETE /workspaces/current/smtp-servers/{id}": {
    fields: {
      /** The mail server's id, a UUID. */
      id: string | number;
    };
    reply: undefined;
  };
  /** Test a mail server step by step. */
  "POST /workspaces/current/smtp-servers/{id}/test": {
    fields: {
      /** The mail server's id, a UUID. */
      id: string | number;
      /**
       * A sender to try at the server (MAIL FROM, then RSET); nothing is sent. Default: the server's return path, if that
       * is an address; else the workspace's default sender, if the server accepts its domain.
       */
      from?: string | undefined;
    };
    reply: SmtpServerTest;
  };
}
