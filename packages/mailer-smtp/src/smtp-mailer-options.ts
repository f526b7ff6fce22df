import type { DkimKey } from "@posthorn/core";
import {
  checkOptions,
  flagCheck,
  functionCheck,
  isText,
  msCheck,
  type Optional,
  type OptionCheck,
  type OptionChecks,
} from "@posthorn/core/internal";
import { checkTls } from "./smtp/settings/check-tls.ts";
import type { SmtpTimeouts, SmtpTls } from "./smtp/settings/server-settings.ts";

/** Options of the SMTP mailer. Times are in ms. Parameters of the URL take precedence over these options. */
export interface SmtpMailerOptions {
  /**
   * The mailer's own server: `smtp://[user:password@]host[:port]`, or `smtps://…` for TLS from the start; `@` in a name or password is
   * `%40`. Ports default to 25, to 587 with a login, and to 465 for TLS from the start. Parameters, as in `?security=starttls&connections=5`:
   * `security` (`none`, `opportunistic`, `starttls`, `tls`), `insecure_tls`, `ca_file`, `cert_file` and `key_file`, `tls_min`, `auth`
   * (`plain`, `login`, `cram-md5`, `xoauth2`, `oauthbearer`), `token_file`, `name`, `local_address`, `envelope_sender`, `dsn`, `connections`,
   * `messages_per_connection`, `max_per_second`, and in seconds `connect_timeout`, `greeting_timeout`, `command_timeout`, `dot_timeout`, `conversation_timeout`.
   */
  url: string;
  /** Maximum number of connections to the mailer's own server. Default 10. */
  connections?: number | undefined;
  /** Maximum number of connections to each workspace's server, unless the message says otherwise. Default 3. */
  serverConnections?: number | undefined;
  /** Maximum number of connections to one host, over all workspaces' servers there. Default 20. */
  connectionsPerHost?: number | undefined;
  /**
   * Maximum number of workspace servers with open connections; beyond it the least recently used server's are closed.
   * Default 50.
   */
  servers?: number | undefined;
  /** Messages after which a connection is replaced. Default 100. */
  messagesPerConnection?: number | undefined;
  /**
   * Keys of your own domain. Mail from it and its subdomains is signed with each of them, for example one RSA and one
   * Ed25519 key (RFC 6376, RFC 8463).
   */
  dkim?: readonly DkimKey[] | undefined;
  /** Maximum messages per second for the mailer's own server, 0.01 or more. Default: as many as it accepts. */
  maxPerSecond?: number | undefined;
  /** Ms for which an idle connection is kept. Default 5 s. */
  idleTime?: number | undefined;
  /**
   * Defaults: connect 30 s, greeting 300 s, command 300 s, dot 600 s (RFC 5321 section 4.5.3.2), and for a message's
   * conversation until the final dot 1,800 s.
   */
  timeouts?: Optional<SmtpTimeouts> | undefined;
  /**
   * Time-outs for workspaces' servers. Defaults: connect 4 s, greeting 30 s, command 120 s, dot 600 s, conversation 900 s. They are
   * shorter because there is often another server to fall back to.
   */
  serverTimeouts?: Optional<SmtpTimeouts> | undefined;
  /** Root certificates, client certificate and oldest TLS version for the mailer's own server. */
  tls?: SmtpTls | undefined;
  /**
   * Fetches an OAuth 2 access token for the URL's user, at each login to the mailer's own server (XOAUTH2 or
   * OAUTHBEARER, whichever it takes). If it rejects, takes longer than a command may, or resolves with a text that is
   * empty or has blanks or characters beyond ASCII, mail waits, as if the server refused the login.
   */
  accessToken?: (() => string | Promise<string>) | undefined;
  /**
   * Whether workspaces' servers may have private addresses and ports other than 25, 465, 587 and 2525. Default false.
   */
  allowPrivateServers?: boolean | undefined;
  /** Whether workspaces' servers need no valid certificate. Default false. */
  allowInsecureServers?: boolean | undefined;
}

const count: OptionCheck = [
  "a whole number, 1 or more",
  (value) => typeof value === "number" && value >= 1 && Math.floor(value) === value,
];

/** A check of DKIM keys. */
export const dkimCheck: OptionCheck = [
  "a list of keys, each { domain, selector, privateKey }",
  (value) => Array.isArray(value) && value.every((key) => Object(key) === key),
];

const checks: OptionChecks<SmtpMailerOptions> = {
  url: true,
  connections: count,
  serverConnections: count,
  connectionsPerHost: count,
  servers: count,
  messagesPerConnection: count,
  dkim: dkimCheck,
  maxPerSecond: ["a number, 0.01 or more", (value) => typeof value === "number" && value >= 0.01],
  idleTime: [`0, or ${msCheck[0]}`, (value) => value === 0 || msCheck[1](value)],
  timeouts: true,
  serverTimeouts: true,
  tls: true,
  accessToken: functionCheck,
  allowPrivateServers: flagCheck,
  allowInsecureServers: flagCheck,
};
const timeoutChecks: OptionChecks<SmtpTimeouts> = {
  connect: msCheck,
  greeting: msCheck,
  command: msCheck,
  dot: msCheck,
  conversation: msCheck,
};
const tlsChecks: OptionChecks<SmtpTls> = { ca: true, cert: true, key: true, minVersion: true };

/** Throws a `TypeError` that names an unknown option, or one that can't be what it is. */
export function checkSmtpOptions(options: SmtpMailerOptions): void {
  checkOptions("createSmtpMailer", options, checks);
  if (!isText(options.url))
    throw new TypeError("createSmtpMailer needs a url, such as smtp://user:password@mail.example.com:587");
  const { timeouts = {}, serverTimeouts = {}, tls = {} } = options;
  checkOptions<Optional<SmtpTimeouts>>("timeouts", timeouts, timeoutChecks, "timeouts.");
  checkOptions<Optional<SmtpTimeouts>>("serverTimeouts", serverTimeouts, timeoutChecks, "serverTimeouts.");
  checkOptions("tls", tls, tlsChecks, "tls.");
  checkTls(tls);
}
