import type { BounceRule } from "../inbound/rules/bounces/bounce-rule.ts";
import type { OwnBounceRule } from "../inbound/rules/bounces/own-bounce-rules.ts";
import type { Clock } from "../ports/clock.ts";
import type { Dns } from "../ports/dns.ts";
import type { HttpSender } from "../ports/http-sender.ts";
import type { Logger } from "../ports/logger.ts";
import type { Mailer } from "../ports/mailer.ts";
import type { DkimAlgorithm, Storage } from "../ports/storage.ts";
import type { OnlyWorkspaceOption } from "./only-workspace.ts";

/**
 * Who may create an account without the host, the operator or an administrator: people with an invitation (`invited`),
 * anybody (`open`), or nobody (`closed`).
 */
export type Registration = "invited" | "open" | "closed";

/**
 * Options of `createPosthorn`. Only the first three are required. `Tx` is the type of a host's transaction for the
 * storage.
 */
export interface PosthornOptions<Tx = never> {
  /** The storage: `createSqliteStorage` or `createPostgresStorage`. The service never closes it. */
  storage: Storage<Tx>;
  /** The mailer: `createSmtpMailer`, `createCaptureMailer`, or your own. The service never closes it. */
  mailer: Mailer;
  /**
   * The secret key, at least 32 characters that are not easy to guess, such as the output of `openssl rand -base64 48`.
   * It encrypts secrets at rest and signs logins; keep it as long as the database.
   */
  secretKey: string;
  /**
   * Former secret keys: links in mail sent under them, and return paths, still work, and `replaceSecretKey` opens with
   * them what they sealed. They are used for nothing else.
   */
  formerSecretKeys?: readonly string[] | undefined;
  /**
   * The only workspace, for a host with a single tenant: calls and requests need not name it. A workspace given by name
   * is created if missing, under an external id of its own (default `only`); a number refers to an existing one.
   * Default: every call names its workspace.
   */
  workspace?: OnlyWorkspaceOption | undefined;
  /** The service's own URL, with scheme. Default `http://127.0.0.1:8080`. */
  baseUrl?: string | undefined;
  /**
   * URL of the front end for links in e-mails, with its path: they lead to `/verify-email`, `/reset-password` and
   * `/invitations` below it, with `?token=`. Default: the server's own pages, `{baseUrl}/app`.
   */
  appUrl?: string | undefined;
  /** `Name <a@b>` or `a@b`: the sender of the service's own mails, and of workspaces without one. */
  defaultSender?: string | undefined;
  /** Minimum length of passwords in characters. Default 12, never below 8. */
  passwordMinLength?: number | undefined;
  /** Who may create an account. Default `invited`. */
  registration?: Registration | undefined;
  /** Settings of webhook delivery. */
  webhooks?:
    | {
        /** Maximum retries after the first attempt, for new workspaces. Default 3 (service.md, Limits). */
        maxRetries?: number | undefined;
        /** Timeout of a whole attempt in seconds. Default 10 (service.md, Limits). */
        timeoutSecs?: number | undefined;
        /** Seconds before the first retry. Each further retry waits six times as long. Default 5. */
        retryBaseSecs?: number | undefined;
        /** Whether plain HTTP and private targets are allowed, for development and tests. Default false. */
        allowPrivate?: boolean | undefined;
      }
    | undefined;
  /**
   * The domain that senders' SPF records must include, such as `spf.mail.example.com`: its record lists the hosts that
   * this service sends from. Default: no include is required.
   */
  spfInclude?: string | undefined;
  /**
   * The domain of return paths, `b-TOKEN@…`, for mail through the operator's mail server. Its MX record must point to a
   * listener of `posthorn serve`. Default: bounces go to the sender's address.
   */
  returnPathDomain?: string | undefined;
  /**
   * The host name at which `posthorn serve` receives bounces, such as `mail.example.com`: the target of the MX records
   * of sending domains' return paths. Default: sending domains have no return paths of their own.
   */
  inboundHost?: string | undefined;
  /**
   * The host name to which sending domains' tracking hosts lead (CNAME), such as `links.example.com`. Requests to any of
   * these names must reach this service, by the scheme of `baseUrl` at its default port. Default: sending domains have
   * no tracking hosts of their own.
   */
  trackingHost?: string | undefined;
  /**
   * Rules that classify mail servers' replies before the service's own rules; at most 200. An invalid rule throws a
   * TypeError at once.
   */
  bounceRules?: readonly OwnBounceRule[] | undefined;
  /** Settings of delivery in this process, once started. */
  worker?:
    | {
        /**
         * Maximum number of concurrent messages, including sent ones whose results are still being recorded together.
         * Default: as many as the mailer takes at once, at most 1,000: an own mailer's `concurrency`, or ten times the
         * connections of `createSmtpMailer`.
         */
        concurrency?: number | undefined;
        /** Lease on claimed work in ms. Default 30,000; renewed after every third of it. */
        leaseMs?: number | undefined;
        /** Ms between two looks at the queue without a notification. Default 5,000. */
        pollMs?: number | undefined;
      }
    | undefined;
  /** Retention period of events, including the audit log, in days; 0 for ever. Default 400. */
  eventRetentionDays?: number | undefined;
  /** Maximum size of an e-mail's files together, decoded, in MB (1,048,576 bytes); 1 to 100. Default 25. */
  maxMessageMb?: number | undefined;
  /**
   * The clock, whose `now()` gives ms since the epoch. Default: the machine's. What is due is decided by the database's
   * own, the storage's `now`, and so is all else if machines can share the database, as PostgreSQL's: then this one
   * counts until the database has answered. In tests `createWorld` replaces both.
   */
  clock?: Clock | undefined;
  /**
   * The logger, such as pino's: what fails in the background, such as a delivery, is told to it alone. It decides
   * which levels it keeps: each refused request is a line of level `debug`. What it throws fails nothing. Default: a
   * silent one.
   */
  logger?: Logger | undefined;
  /** Sends webhooks. Default: a sender that refuses private targets. */
  httpSender?: HttpSender | undefined;
  /** DNS client for domain checks. Default: one that queries the zones' own name servers. */
  dns?: Dns | undefined;
  /**
   * Creates a DKIM key pair: the private key in PEM, the public key as in a DNS record. Default: RSA of 2,048 bits, and
   * Ed25519.
   */
  createKeyPair?:
    | ((algorithm: DkimAlgorithm) => Promise<{ privateKey: string; publicKey: string }>)
    | undefined;
  /** Returns a random number from 0 to under 1, for jitter. Default `Math.random`. */
  random?: (() => number) | undefined;
}

/** The option `workspace` where it is given. */
export type WorkspaceGiven = { [K in keyof Pick<PosthornOptions, "workspace">]-?: OnlyWorkspaceOption };

/** The options with all defaults. */
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
  /** Minimum length of a new password in characters. */
  passwordMinLength: number;
  /** Who may create an account. */
  registration: Registration;
  /**
   * Settings of webhook delivery: maximum retries, timeout of an attempt in seconds, seconds before the first retry,
   * and whether private addresses are allowed.
   */
  webhooks: { maxRetries: number; timeoutSecs: number; retryBaseSecs: number; allowPrivate: boolean };
  /** The domain that senders' SPF records must include; `undefined` if none is required. */
  spfInclude: string | undefined;
  /** The domain of return paths, which receives bounces; `undefined` if bounces go to the sender's address. */
  returnPathDomain: string | undefined;
  /** The host that sending domains' return paths point to (MX); `undefined` if none is configured. */
  inboundHost: string | undefined;
  /** The host that sending domains' tracking hosts lead to (CNAME); `undefined` if none is configured. */
  trackingHost: string | undefined;
  /** Rules that classify replies before the service's own rules (docs/bounces.md). */
  bounceRules: readonly BounceRule[];
  /** Maximum concurrent e-mails, lease of a claim in ms, and ms between two looks at the queue. */
  worker: { concurrency: number; leaseMs: number; pollMs: number };
  /** Retention period of events in days; 0 for ever. */
  eventRetentionDays: number;
  /** Maximum size of an e-mail's files together, decoded, in MiB. */
  maxMessageMb: number;
}
