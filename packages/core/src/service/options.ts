import type { BounceRule } from "../inbound/rules/bounce-rules.ts";
import type { OwnBounceRule } from "../inbound/rules/own-bounce-rules.ts";
import type { Clock } from "../ports/clock.ts";
import type { Dns } from "../ports/dns.ts";
import type { HttpSender } from "../ports/http-sender.ts";
import type { Logger } from "../ports/logger.ts";
import type { Mailer } from "../ports/mailer.ts";
import type { DkimAlgorithm, Storage } from "../ports/storage.ts";
import type { OnlyWorkspaceOption } from "./only-workspace.ts";

/**
 * Who may open an account on their own, without the host, the operator or an administrator: people with an invitation
 * (`invited`), anybody (`open`), or nobody (`closed`).
 */
export type Registration = "invited" | "open" | "closed";

/**
 * Options of `createPosthorn`. Only the first three are required. `Tx` is the type of a host's transaction for the
 * storage.
 */
export interface PosthornOptions<Tx = never> {
  /** The storage: `createSqliteStorage` or `createPostgresStorage`. The service never closes it. */
  storage: Storage<Tx>;
  /** Hands mail over: `createSmtpMailer`, `createCaptureMailer`, or your own. Never closed by the service. */
  mailer: Mailer;
  /** At least 32 characters. Encrypts secrets at rest and signs logins; keep it as long as the database. */
  secretKey: string;
  /**
   * Keys that this one took the place of: links to unsubscribe in mail that left under them go on working. Nothing else is opened
   * with them.
   */
  formerSecretKeys?: readonly string[];
  /**
   * The only workspace, for a host with a single tenant: calls and requests need not name it. A workspace given by name
   * is created if missing, under an external id of its own (default `only`); a number refers to an existing one.
   * Default: every call names its workspace.
   */
  workspace?: OnlyWorkspaceOption;
  /** The service's own URL, with scheme. Default `http://127.0.0.1:8080`. */
  baseUrl?: string;
  /** The front end that links in e-mails lead to, with its path. Default: the server's own pages, `{baseUrl}/app`. */
  appUrl?: string;
  /** `Name <a@b>` or `a@b`: the sender of the service's own mails, and of workspaces without one. */
  defaultSender?: string;
  /** Characters; default 12, never under 8. */
  passwordMinLength?: number;
  /** Who may open an account. Default `invited`. */
  registration?: Registration;
  /** How webhooks are delivered. */
  webhooks?: {
    /** Retries after the first attempt, for new workspaces. Default 3 (service.md, Limits). */
    maxRetries?: number;
    /** Seconds for a whole attempt. Default 10 (service.md, Limits). */
    timeoutSecs?: number;
    /** Seconds before the first retry; each further one waits six times as long. Default 5. */
    retryBaseSecs?: number;
    /** Whether plain HTTP and private targets are allowed. Default false; for development and tests. */
    allowPrivate?: boolean;
  };
  /**
   * The domain that senders' SPF records should include, such as `spf.mail.example.com`: it lists the hosts that this
   * service sends from. Default: none is required.
   */
  spfInclude?: string;
  /**
   * The domain of return paths that name the e-mail, `b-TOKEN@…`, of mail through the operator's mail server: its MX leads to a listener of
   * `posthorn serve`. Default: the sender's address takes the bounces.
   */
  returnPathDomain?: string;
  /**
   * The host name at which `posthorn serve` receives bounces, such as `mail.example.com`: the target of the MX records
   * of sending domains' return paths. Default: sending domains have no return paths of their own.
   */
  inboundHost?: string;
  /**
   * Rules for the meaning of replies, which precede the service's own; at most 200. An invalid rule throws a TypeError
   * at once.
   */
  bounceRules?: readonly OwnBounceRule[];
  /** How this process delivers, once started. */
  worker?: {
    /**
     * Maximum number of concurrent messages, including sent ones whose results are still being recorded together.
     * Default: ten times the mailer's concurrency.
     */
    concurrency?: number;
    /** Lease on claimed work, ms. Default 30,000; renewed every third of it. */
    leaseMs?: number;
    /** How often the queue is looked at when nothing is heard, ms. Default 5,000. */
    pollMs?: number;
  };
  /** Days that events, the audit log among them, are kept; 0 for ever. Default 400. */
  eventRetentionDays?: number;
  /** MB (1,048,576 bytes) that the files of one e-mail may have together, decoded; 1 to 100. Default 25. */
  maxMessageMb?: number;
  /** Default: the machine's clock. */
  clock?: Clock;
  /** Default: silence. */
  logger?: Logger;
  /** Default: our guarded sender. */
  httpSender?: HttpSender;
  /** Default: the zones' own name servers are asked. */
  dns?: Dns;
  /**
   * Makes keys to sign mail with: the private one in PEM, the public one as a DNS record has it. Default: RSA of 2,048 bits, and Ed25519.
   */
  createKeyPair?: (algorithm: DkimAlgorithm) => Promise<{ privateKey: string; publicKey: string }>;
  /** From 0 to under 1, for jitter. Default `Math.random`. */
  random?: () => number;
}

/** The options with every default filled in. */
export interface Config {
  /** The only workspace, if there is one. */
  workspace: { id: number } | { name: string; externalId: string } | undefined;
  /** The API's URL, without a trailing slash. */
  baseUrl: string;
  /** The URL for links in the service's own mails, without a trailing slash. */
  appUrl: string;
  /** `undefined` if none was configured. */
  defaultSender: { name: string; address: string } | undefined;
  /** The sender of the service's own mails. */
  systemSender: { name: string; address: string };
  /** Characters that a new password has at least. */
  passwordMinLength: number;
  /** Who may open an account. */
  registration: Registration;
  /** Retries of a delivery, seconds that a request may take, seconds before the first retry, and whether private addresses are posted to. */
  webhooks: { maxRetries: number; timeoutSecs: number; retryBaseSecs: number; allowPrivate: boolean };
  /** The domain that senders' SPF records should include; `undefined` if none is required. */
  spfInclude: string | undefined;
  /** The domain of return paths, which receives bounces; `undefined` if mail is sent under its sender's. */
  returnPathDomain: string | undefined;
  /** The host that sending domains' return paths point to (MX); `undefined` if none is configured. */
  inboundHost: string | undefined;
  /** Meanings of refusals, which precede the service's own rules (docs/bounces.md). */
  bounceRules: readonly BounceRule[];
  /** E-mails in hand at once, ms for which a claim stands without being renewed, ms between two looks at the queue. */
  worker: { concurrency: number; leaseMs: number; pollMs: number };
  /** Days that events are kept; 0: for ever. */
  eventRetentionDays: number;
  /** MiB that the files of one e-mail may have together, decoded. */
  maxMessageMb: number;
}
