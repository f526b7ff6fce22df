import type { SecureVersion } from "node:tls";
import type { HostResolver } from "@posthorn/core/network";

/** Security of the connection to a server. `opportunistic`: STARTTLS if offered. */
export type SmtpSecurity = "none" | "opportunistic" | "starttls" | "tls";

/**
 * Login mechanisms, in the order in which they are tried (RFC 4954; RFC 4616, RFC 2195, XOAUTH2 of Google and Microsoft,
 * RFC 7628).
 */
export const smtpMechanisms = ["plain", "login", "cram-md5", "xoauth2", "oauthbearer"] as const;

export type SmtpMechanism = (typeof smtpMechanisms)[number];

/** Mechanisms that take an OAuth 2 access token; the others take a password. */
export const tokenMechanisms: readonly SmtpMechanism[] = ["xoauth2", "oauthbearer"];

/** When the server is to report to the sender (RFC 3461 section 4.1). */
export type DsnCondition = "never" | "success" | "failure" | "delay";

/** TLS settings. Certificates and keys are PEM. */
export interface SmtpTls {
  /** The only trusted root certificates. Default: the system's. */
  ca?: string | Buffer | undefined;
  /** The client certificate with its chain. */
  cert?: string | Buffer | undefined;
  /** The client certificate's key. */
  key?: string | Buffer | undefined;
  /** The oldest accepted version. Default 1.2. */
  minVersion?: SecureVersion | undefined;
}

/** A mail server and how to connect to it. */
export interface ServerSettings {
  host: string;
  /** Resolves the host's addresses. */
  resolver: HostResolver;
  port: number;
  security: SmtpSecurity;
  username?: string;
  password?: string;
  /** Fetches an OAuth 2 access token, at each login. */
  accessToken?: () => string | Promise<string>;
  /** The only login mechanism to use. Default: any that both sides support. */
  mechanism?: SmtpMechanism;
  /** The client's name in EHLO (RFC 5321 section 4.1.1.1). */
  clientName: string;
  /** The local address to connect from. */
  localAddress?: string;
  /** Returns the TLS settings, at each connection: files of certificates may have been renewed. */
  tls?: () => SmtpTls;
  /** Whether the server's certificate is checked. */
  checksCertificate: boolean;
  /** MAIL FROM of every message, instead of its own sender. */
  envelopeSender?: string;
  /** The reports to request if the server supports DSN; empty for no request. Default: of failures and delays. */
  dsn?: DsnCondition[];
  /** Whether to connect only to public addresses and mail ports. */
  publicOnly: boolean;
}

/** Time-outs in ms (RFC 5321 section 4.5.3.2). */
export interface SmtpTimeouts {
  /** Until the connection is established, TLS included. Default 30 s, for workspaces' servers 4 s. */
  connect: number;
  /** Until the server greets. Default 300 s, for workspaces' servers 30 s. */
  greeting: number;
  /** Until a command is answered, or a piece of the message is accepted. Default 300 s, for workspaces' servers 120 s. */
  command: number;
  /** Until the final dot is answered. Default 600 s: a server that exceeds it has often accepted the message. */
  dot: number;
  /**
   * Until the final dot of a message is sent, from its turn on: connecting and all replies together, over all
   * connections it takes. Default 1,800 s, for workspaces' servers 900 s. A server that takes long for each reply would
   * otherwise occupy its connection for hours.
   */
  conversation: number;
}
