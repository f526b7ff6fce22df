// Printed by `npm run docs:routes` from the table of routes.

/** `SmtpServer` of the API. */
export interface SmtpServer {
  /** Id. */
  id: string;
  /** Name. */
  name: string;
  /** Host name or address of the server. */
  host: string;
  /** The port. */
  port: number;
  /** Protection of the connection. */
  security: "none" | "starttls" | "tls";
  /** User name to log in with; empty for no login. */
  username: string;
  /** Whether a password is stored; it is never shown. */
  has_password: boolean;
  /** Sender domains that it accepts; empty for any sender. */
  from_domains: string[];
  /** Whether it also takes mail from domains that no server of the workspace names. */
  is_default: boolean;
  /** Whether it is in use. */
  is_active: boolean;
  /** Priority among the servers: the lowest is tried first. */
  priority: number;
  /** Maximum number of connections at once, across all processes. */
  max_connections: number;
  /** Maximum number of messages per second; null for no limit. */
  max_per_second: number | null;
  /** Maximum number of messages per hour, spread evenly; null for no limit. */
  max_per_hour: number | null;
  /** Address for bounces: `sender`, `verp`, or an address. */
  return_path: string;
  /**
   * `limited`: the server accepts less than it is given; `down`: it is not used before `down_until`, and then with
   * one e-mail first.
   */
  state: "up" | "limited" | "down";
  /** While the server is down: time of the next attempt to use it. */
  down_until: string | null;
  /** Last error, with the server's own words; null for callers who may not change the server. */
  last_error: string | null;
  /** Time of the last error. */
  last_error_at: string | null;
  /** Time at which it last accepted an e-mail. */
  last_success_at: string | null;
  /** Number of e-mails that it accepted in the last 24 hours, by whole hours. */
  sent_24h: number;
  /** Time of creation. */
  created_at: string;
  /** Time of the last change. */
  updated_at: string;
}

/** `SmtpServerTest` of the API. */
export interface SmtpServerTest {
  /** Whether every step succeeded. */
  ok: boolean;
  /** Steps, in order; the last is where the test ended. */
  steps: SmtpServerTestStep[];
  /** TLS of the connection; null without. */
  tls: {
    /** TLS version. */
    protocol: string;
    /** Negotiated cipher. */
    cipher: string;
    /** Whether the certificate is valid for the host. */
    authorized: boolean;
    /** Issuer of the certificate. */
    issuer: string;
    /** Expiry time of the certificate. */
    valid_to: string | null;
  } | null;
  /** SMTP extensions that the server offers, with parameters. */
  extensions: string[];
  /** Maximum size in bytes of a message that the server accepts; null if it names none. */
  max_size: number | null;
}

/** `SmtpServerTestStep` of the API. */
export interface SmtpServerTestStep {
  /** Step of the test. */
  step: "resolve" | "connect" | "greeting" | "starttls" | "auth" | "mail_from";
  /** Duration in ms. */
  ms: number;
  /** Reply code of the server. */
  code?: number | undefined;
  /** Reply of the mail server. */
  reply?: string | undefined;
  /** Why the test stopped at this step. */
  error?: string | undefined;
  /** What is missing, although e-mails are sent without it. */
  warning?: string | undefined;
}
