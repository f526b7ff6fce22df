// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.
import type { Page } from "../calls/paging.ts";
import type { SmtpServerView } from "../mail/smtp-servers/smtp-server-view.ts";
import type { ServerProbe } from "../ports/server-probe.ts";
import type { CallShapes } from "./call-options.ts";

/** What `create` takes. */
export interface CreateSmtpServerInput {
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
  fromDomains?: string[] | undefined;
  /** Whether it also accepts mail from domains that no server of the workspace lists. Default false. */
  isDefault?: boolean | undefined;
  /** Whether it is used. Default true. */
  isActive?: boolean | undefined;
  /** Order of attempts among several servers, 0 to 100, lowest first. Default 50. */
  priority?: number | undefined;
  /** Maximum simultaneous connections of all processes together, 1 to 50. Default 3. */
  maxConnections?: number | undefined;
  /** Maximum messages per second of all processes together, 0.01 to 1,000; null for no limit. */
  maxPerSecond?: number | null | undefined;
  /** Maximum messages per hour of all processes together, 1 to 3,600,000, spread evenly; null for no limit. */
  maxPerHour?: number | null | undefined;
  /**
   * Return path for bounces (MAIL FROM): `sender`; `verp`, an address of this service that identifies the e-mail, for
   * mail from domains with a verified return path; or an address. Default `sender`.
   */
  returnPath?: string | undefined;
}

/** What `list` takes. */
export interface ListSmtpServersInput {
  /** Number of the page, counted from 0. Default 0. */
  page?: number | undefined;
  /** Number of items per page, 1 to 100. Default 20. */
  size?: number | undefined;
  /**
   * Cursor, in place of `page`: the `after` of the previous page. New items do not shift the list, and every page
   * costs the same, however deep it is.
   */
  after?: string | undefined;
}

/** What `get` takes. */
export interface GetSmtpServerInput {
  /** The mail server's id, a UUID. */
  smtpServerId: string;
}

/** What `update` takes. */
export interface UpdateSmtpServerInput {
  /** The mail server's id, a UUID. */
  smtpServerId: string;
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
  fromDomains?: string[] | undefined;
  /** Whether it also accepts mail from domains that no server of the workspace lists. Default false. */
  isDefault?: boolean | undefined;
  /** Whether it is used. Default true. */
  isActive?: boolean | undefined;
  /** Order of attempts among several servers, 0 to 100, lowest first. Default 50. */
  priority?: number | undefined;
  /** Maximum simultaneous connections of all processes together, 1 to 50. Default 3. */
  maxConnections?: number | undefined;
  /** Maximum messages per second of all processes together, 0.01 to 1,000; null for no limit. */
  maxPerSecond?: number | null | undefined;
  /** Maximum messages per hour of all processes together, 1 to 3,600,000, spread evenly; null for no limit. */
  maxPerHour?: number | null | undefined;
  /**
   * Return path for bounces (MAIL FROM): `sender`; `verp`, an address of this service that identifies the e-mail, for
   * mail from domains with a verified return path; or an address. Default `sender`.
   */
  returnPath?: string | undefined;
}

/** What `delete` takes. */
export interface DeleteSmtpServerInput {
  /** The mail server's id, a UUID. */
  smtpServerId: string;
}

/** What `test` takes. */
export interface TestSmtpServerInput {
  /** The mail server's id, a UUID. */
  smtpServerId: string;
  /**
   * A sender to try at the server (MAIL FROM, then RSET); nothing is sent. Default: the server's return path, if that
   * is an address; else the workspace's default sender, if the server accepts its domain.
   */
  from?: string | undefined;
}

/** A workspace's own mail servers. */
export interface SmtpServersVerbs<K extends CallShapes = CallShapes> {
  /**
   * Adds a mail server to the workspace, within the plan's `maxSmtpServers` (platform.md P5). Does not connect to it;
   * `test` does.
   *
   * May refuse with `plan_limit_reached`, `smtp_server_name_taken`.
   */
  create(this: void, input: CreateSmtpServerInput, ...call: K["workspace"]): Promise<SmtpServerView>;
  /** Lists the workspace's own mail servers, by priority, then oldest first (platform.md P5). */
  list(this: void, input?: ListSmtpServersInput, ...call: K["workspace"]): Promise<Page<SmtpServerView>>;
  /** Reads one of the workspace's own mail servers, with its state (platform.md P5). */
  get(this: void, input: GetSmtpServerInput, ...call: K["workspace"]): Promise<SmtpServerView>;
  /**
   * Changes a mail server; connections with the former settings are closed, and a server that was down is tried again
   * (platform.md P5).
   *
   * May refuse with `smtp_server_name_taken`.
   */
  update(this: void, input: UpdateSmtpServerInput, ...call: K["workspace"]): Promise<SmtpServerView>;
  /** Removes a mail server; e-mails that wait for it use another one that accepts their sender (platform.md P5). */
  delete(this: void, input: DeleteSmtpServerInput, ...call: K["workspace"]): Promise<void>;
  /**
   * Tests a mail server step by step, and returns how far the test went, whether or not it succeeded; at most 10
   * times a minute per workspace. A server that was down and answers is used again at once (platform.md P5).
   *
   * May refuse with `rate_limited`.
   */
  test(this: void, input: TestSmtpServerInput, ...call: K["workspace"]): Promise<ServerProbe>;
}
