import type { SecureVersion } from "node:tls";
import type { HostResolver } from "@posthorn/core/network";

/** How the connection to a server is protected. `opportunistic`: STARTTLS where it is offered. */
export type SmtpSecurity = "none" | "opportunistic" | "starttls" | "tls";

/** How the client says who it is (RFC 4954; RFC 4616, RFC 2195, and what Google and Microsoft call XOAUTH2). */
export type SmtpMechanism = "plain" | "login" | "cram-md5" | "xoauth2";

/** When the server shall tell the sender what became of a mail (RFC 3461 section 4.1). */
export type DsnCondition = "never" | "success" | "failure" | "delay";

/** What TLS goes by. Certificates and keys are PEM. */
export interface SmtpTls {
  /** The only roots that are trusted. Default: the system's. */
  ca?: string | Buffer;
  /** The client's certificate with its chain, and its key. */
  cert?: string | Buffer;
  key?: string | Buffer;
  /** The oldest version that is spoken. Default 1.2. */
  minVersion?: SecureVersion;
}

/** A mail server, and how to speak to it. */
export interface ServerSettings {
  host: string;
  /** Finds the host's addresses. */
  resolver: HostResolver;
  port: number;
  security: SmtpSecurity;
  username?: string;
  password?: string;
  /** Gets an OAuth 2 access token for a login. Asked at every login. */
  accessToken?: () => string | Promise<string>;
  /** The only mechanism of login to use. Default: what both sides know. */
  mechanism?: SmtpMechanism;
  /** What the client calls itself in EHLO (RFC 5321 section 4.1.1.1). */
  clientName: string;
  /** The address of this machine that connections come from. */
  localAddress?: string;
  tls?: SmtpTls;
  /** Whether the server's certificate is checked. */
  checksCertificate: boolean;
  /** MAIL FROM of every message, instead of its own. */
  envelopeSender?: string;
  /** What is asked for where the server knows DSN. Default: nothing is said of it. */
  dsn?: DsnCondition[];
  /** Whether only public addresses and mail ports may be connected to. */
  publicOnly: boolean;
}

/** Time-outs in ms (RFC 5321 section 4.5.3.2). */
export interface SmtpTimeouts {
  /** Until the connection stands, TLS included. Default 30 s. */
  connect: number;
  /** Until the server greets. Default 300 s. */
  greeting: number;
  /** Until a command is answered, or a piece of the message is taken. Default 300 s. */
  command: number;
  /** Until the final dot is answered. Default 600 s: a server too slow here has often taken the message. */
  dot: number;
}
