/** How the connection to a server is protected. `opportunistic`: STARTTLS where it is offered. */
export type SmtpSecurity = "none" | "opportunistic" | "starttls" | "tls";

/** A mail server, and how to speak to it. */
export interface ServerSettings {
  host: string;
  port: number;
  security: SmtpSecurity;
  username?: string;
  password?: string;
  /** What the client calls itself in EHLO (RFC 5321 section 4.1.1.1). */
  clientName: string;
  /** Whether the server's certificate is checked. */
  checksCertificate: boolean;
  /** Whether only public addresses and mail ports may be connected to. */
  publicOnly: boolean;
}

/** Time-outs in ms (RFC 5321 section 4.5.3.2). */
export interface SmtpTimeouts {
  /** Until the connection stands, TLS included. Default 30 s. */
  connect: number;
  /** Until the server greets. Default 60 s. */
  greeting: number;
  /** Until a command is answered, or a piece of the message is taken. Default 120 s. */
  command: number;
  /** Until the final dot is answered. Default 600 s: a server too slow here has often taken the message. */
  dot: number;
}
