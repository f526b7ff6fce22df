// Printed by `npm run docs:routes` from the table of routes.

/** `SmtpServer` of the API. */
export interface SmtpServer {
  /** Its id. */
  id: string;
  /** Its name. */
  name: string;
  /** The server's name or address. */
  host: string;
  /** The port. */
  port: number;
  /** How the connection is protected. */
  security: "none" | "starttls" | "tls";
  /** User name of the login; empty for no login. */
  username: string;
  /** Whether there is a password; it is never shown. */
  has_password: boolean;
  /** Senders' domains that it takes; empty for any sender. */
  from_domains: string[];
  /** Whether it also takes mail from domains that no server of the workspace names. */
  is_default: boolean;
  /** Whether it is in use. */
  is_active: boolean;
  /** Which of several is tried first: the lowest. */
  priority: number;
  /** Connections at once, of all processes together. */
  max_connections: number;
  /** Messages a second; null for no bound. */
  max_per_second: number | null;
  /** Messages an hour, spread evenly; null for no bound. */
  max_per_hour: number | null;
  /** Where bounces go: `sender`, or an address. */
  return_path: string;
  /**
   * `limited`: it takes less than it is handed; `down`: nothing goes there before `down_until`, and then one e-mail
   * tries it.
   */
  state: "up" | "limited" | "down";
  /** While it is down: when the next e-mail may try it. */
  down_until: string | null;
  /** The last fault, with the server's own words; null for those who may not change the server. */
  last_error: string | null;
  /** When that was. */
  last_error_at: string | null;
  /** When it last took an e-mail. */
  last_success_at: string | null;
  /** E-mails that it took in the last 24 hours, by whole hours. */
  sent_24h: number;
  /** When it was made. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
}

/** `SmtpServerTest` of the API. */
export interface SmtpServerTest {
  /** Whether every step succeeded. */
  ok: boolean;
  /** What was tried, in this order; the last is where it ended. */
  steps: SmtpServerTestStep[];
  /** The connection's protection; null without. */
  tls: {
    /** The version of TLS. */
    protocol: string;
    /** The cipher that was agreed on. */
    cipher: string;
    /** Whether the certificate is valid for the host. */
    authorized: boolean;
    /** Who issued the certificate. */
    issuer: string;
    /** When the certificate ends. */
    valid_to: string | null;
  } | null;
  /** What the server offers, with parameters. */
  extensions: string[];
  /** Bytes of the largest message that it takes; null where it does not say. */
  max_size: number | null;
}

/** `SmtpServerTestStep` of the API. */
export interface SmtpServerTestStep {
  /** What was tried. */
  step: "resolve" | "connect" | "greeting" | "starttls" | "auth" | "mail_from";
  /** How long it took, in ms. */
  ms: number;
  /** The server's reply code. */
  code?: number | undefined;
  /** The mail server's words. */
  reply?: string | undefined;
  /** Why the test stopped here. */
  error?: string | undefined;
}
