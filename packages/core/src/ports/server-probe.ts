/** Steps of a server test, in this order; `starttls` only with that setting, `auth` only with a login. */
export type ProbeStepName = "resolve" | "connect" | "greeting" | "starttls" | "auth" | "mail_from";

/** Result of a step. Contains no secret, whatever the server sends. */
export interface ProbeStep {
  /** The step. */
  step: ProbeStepName;
  /** Duration in ms. */
  ms: number;
  /** The server's last reply code, if there was one. */
  code?: number;
  /** The reply's text, one line of at most 1 KiB. Untrusted. */
  reply?: string;
  /** Set if the step failed; no further step was tried. */
  error?: string;
  /** Set if something is missing without which e-mails are sent all the same. */
  warning?: string;
}

/** Result of a server test. */
export interface ServerProbe {
  /** Whether mail could be sent. */
  ok: boolean;
  /** The steps, in order, up to the one that failed. */
  steps: ProbeStep[];
  /** Set once TLS is established. `validTo` is in ms since the epoch. */
  tls?: {
    protocol: string;
    cipher: string;
    authorized: boolean;
    issuer: string;
    validTo: number | undefined;
  };
  /** The server's extensions with their parameters, such as `SIZE 35882577`. */
  extensions: string[];
  /** Maximum size of a message in bytes, if the server states it. */
  maxSize: number | undefined;
}
