// Printed by `npm run docs:routes` from the table of routes.
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
       * `tls` from the first byte, `starttls` before anything is said, or no mail at all; `none` in cleartext, without a
       * login. Default `starttls`.
       */
      security?: "none" | "starttls" | "tls" | undefined;
      /** The user name to log in with; empty for no login. */
      username?: string | undefined;
      /** The login's password or token, at most 1,000 characters; kept sealed and never answered. */
      password?: string | undefined;
      /**
       * Senders' domains that it takes, at most 100: `shop.example`, or `.shop.example` for what is beneath it. Empty:
       * any sender.
       */
      from_domains?: string[] | undefined;
      /** Whether it also takes mail from domains that no server of the workspace names. Default false. */
      is_default?: boolean | undefined;
      /** Whether it is used. Default true. */
      is_active?: boolean | undefined;
      /** Which of several is tried first, 0 to 100, the lowest first. Default 50. */
      priority?: number | undefined;
      /** Most connections at once, of all processes together, 1 to 50. Default 3. */
      max_connections?: number | undefined;
      /** Most messages a second, of all processes together, 0.01 to 1,000; null for no bound. */
      max_per_second?: number | null | undefined;
      /** Most messages an hour, of all processes together, 1 to 3,600,000, spread evenly over it; null for no bound. */
      max_per_hour?: number | null | undefined;
      /**
       * Where bounces go (MAIL FROM): `sender`; `verp`, to this service by an address that names the e-mail, of mail from
       * domains whose return path is verified; or an address. Default `sender`.
       */
      return_path?: string | undefined;
    };
    reply: SmtpServer;
  };
  /** List the mail servers. */
  "GET /workspaces/current/smtp-servers": {
    fields: Record<never, never>;
    reply: SmtpServer[];
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
       * `tls` from the first byte, `starttls` before anything is said, or no mail at all; `none` in cleartext, without a
       * login. Default `starttls`.
       */
      security?: "none" | "starttls" | "tls" | undefined;
      /** The user name to log in with; empty for no login. */
      username?: string | undefined;
      /**
       * Another password, at most 1,000 characters; null or empty for none. Needed again where host, port or user name
       * change.
       */
      password?: string | null | undefined;
      /**
       * Senders' domains that it takes, at most 100: `shop.example`, or `.shop.example` for what is beneath it. Empty:
       * any sender.
       */
      from_domains?: string[] | undefined;
      /** Whether it also takes mail from domains that no server of the workspace names. Default false. */
      is_default?: boolean | undefined;
      /** Whether it is used. Default true. */
      is_active?: boolean | undefined;
      /** Which of several is tried first, 0 to 100, the lowest first. Default 50. */
      priority?: number | undefined;
      /** Most connections at once, of all processes together, 1 to 50. Default 3. */
      max_connections?: number | undefined;
      /** Most messages a second, of all processes together, 0.01 to 1,000; null for no bound. */
      max_per_second?: number | null | undefined;
      /** Most messages an hour, of all processes together, 1 to 3,600,000, spread evenly over it; null for no bound. */
      max_per_hour?: number | null | undefined;
      /**
       * Where bounces go (MAIL FROM): `sender`; `verp`, to this service by an address that names the e-mail, of mail from
       * domains whose return path is verified; or an address. Default `sender`.
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
      /** A sender to ask the server about (MAIL FROM, then RSET): nothing is sent. */
      from?: string | undefined;
    };
    reply: SmtpServerTest;
  };
}
