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
 * Who may open an account without the host, the operator or an administrator doing it: whoever holds an invitation (`invited`),
 * anybody (`open`), or nobody (`closed`).
 */
export type Registration = "invited" | "open" | "closed";

/** What `createPosthorn` is given. Only the first three are needed. `Tx` is what the storage takes as a transaction of the host's. */
export interface PosthornOptions<Tx = never> {
  /** Where everything is kept: `createSqliteStorage` or `createPostgresStorage`. Never closed by the service. */
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
   * The only workspace, for a host that has one tenant: calls need not name it, nor do requests. By name it is made where it is not there,
   * under an external id of its own (default `only`); by number it is one that you made. Default: every call names its workspace.
   */
  workspace?: OnlyWorkspaceOption;
  /** Where the service is reached, with scheme. Default `http://127.0.0.1:8080`. */
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
  /** What senders' SPF records should include, such as `spf.mail.example.com`: where this service's mail comes from. Default: none is asked for. */
  spfInclude?: string;
  /**
   * The domain of return paths that name the e-mail, `b-TOKEN@…`, of mail through the operator's mail server: its MX leads to a listener of
   * `posthorn serve`. Default: the sender's address takes the bounces.
   */
  returnPathDomain?: string;
  /**
   * The host name at which `posthorn serve` takes in what comes back, such as `mail.example.com`: where the MX records of sending domains'
   * return paths lead. Default: sending domains have no return paths of their own.
   */
  inboundHost?: string;
  /** What replies mean, before the service's own rules are asked; at most 200. A rule that can't be read is a TypeError at once. */
  bounceRules?: readonly OwnBounceRule[];
  /** How this process delivers, once started. */
  worker?: {
    /** Messages under way at once, those included that are noted together once they are sent. Default: ten times what the mailer sends at once. */
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
  /** The only workspace, where there is one. */
  workspace: { id: number } | { name: string; externalId: string } | undefined;
  /** Where the API is reached, without a slash at its end. */
  baseUrl: string;
  /** Where links in the service's own mails lead, without a slash at its end. */
  appUrl: string;
  /** `undefined` where none was configured. */
  defaultSender: { name: string; address: string } | undefined;
  /** The sender of the service's own mails. */
  systemSender: { name: string; address: string };
  /** Characters that a new password has at least. */
  passwordMinLength: number;
  /** Who may open an account. */
  registration: Registration;
  /** Retries of a delivery, seconds that a request may take, seconds before the first retry, and whether private addresses are posted to. */
  webhooks: { maxRetries: number; timeoutSecs: number; retryBaseSecs: number; allowPrivate: boolean };
  /** The domain that senders' SPF records should include; `undefined` where none is asked for. */
  spfInclude: string | undefined;
  /** The domain of return paths, to which bounces come; `undefined` where mail goes out under its sender's. */
  returnPathDomain: string | undefined;
  /** The host that return paths of sending domains lead to (MX); `undefined` where none is configured. */
  inboundHost: string | undefined;
  /** What refusals mean, asked before the service's own rules (docs/bounces.md). */
  bounceRules: readonly BounceRule[];
  /** E-mails in hand at once, ms for which a claim stands without being renewed, ms between two looks at the queue. */
  worker: { concurrency: number; leaseMs: number; pollMs: number };
  /** Days that events are kept; 0: for ever. */
  eventRetentionDays: number;
  /** MiB that the files of one e-mail may have together, decoded. */
  maxMessageMb: number;
}
