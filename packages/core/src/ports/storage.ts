import type { ApiKeys } from "./storage/api-keys.ts";
import type { Attachments } from "./storage/attachments.ts";
import type { Batches } from "./storage/batches.ts";
import type { Campaigns } from "./storage/campaigns.ts";
import type { Domains } from "./storage/domains.ts";
import type { EmailQueue } from "./storage/email-queue.ts";
import type { Emails } from "./storage/emails.ts";
import type { Events } from "./storage/events.ts";
import type { InboundEndpoints } from "./storage/inbound-endpoints.ts";
import type { Metrics } from "./storage/metrics.ts";
import type { Operations } from "./storage/operations.ts";
import type { Plans, Usage } from "./storage/plans.ts";
import type { Erasures, Recipients } from "./storage/recipients.ts";
import type { Reports } from "./storage/reports.ts";
import type { Retention } from "./storage/retention.ts";
import type { DedupeKeys, IdempotencyKeys } from "./storage/send-keys.ts";
import type { SmtpServers } from "./storage/smtp-servers.ts";
import type { Suppressions } from "./storage/suppressions.ts";
import type { Contents, Stylesheets, Templates } from "./storage/templates.ts";
import type { EmailTokens, Guards, Sessions, Users } from "./storage/users.ts";
import type { WebhookDeliveries, Webhooks } from "./storage/webhooks.ts";
import type { Invitations, Members, SettingsRepository, Workspaces } from "./storage/workspaces.ts";

export type { Clock } from "./clock.ts";
export type { Logger } from "./logger.ts";
export { silentLogger } from "./logger.ts";
export { addressKey } from "./storage/address-key.ts";
export type * from "./storage/api-keys.ts";
export type * from "./storage/attachments.ts";
export type * from "./storage/batches.ts";
export type * from "./storage/campaigns.ts";
export { campaignCounters, maxLookAheadMs } from "./storage/campaigns.ts";
export type * from "./storage/domains.ts";
export type * from "./storage/email-queue.ts";
export { everyRoute } from "./storage/email-queue.ts";
export type * from "./storage/emails.ts";
export { emailStatuses } from "./storage/emails.ts";
export type * from "./storage/events.ts";
export type * from "./storage/inbound-endpoints.ts";
export type * from "./storage/lane.ts";
export type * from "./storage/metrics.ts";
export { addCounts, mailMetrics, namedDomains, noCounts } from "./storage/metrics.ts";
export type * from "./storage/operations.ts";
export type * from "./storage/paging.ts";
export type * from "./storage/plans.ts";
export type * from "./storage/recipient-report.ts";
export type * from "./storage/recipients.ts";
export { searchedLogs } from "./storage/recipients.ts";
export type * from "./storage/reports.ts";
export { restoredCopyFact, restoredReason } from "./storage/restored-copy.ts";
export type * from "./storage/retention.ts";
export type * from "./storage/send-keys.ts";
export type * from "./storage/smtp-servers.ts";
export type * from "./storage/suppressions.ts";
export { everyScope, suppressionReply } from "./storage/suppressions.ts";
export type * from "./storage/templates.ts";
export type * from "./storage/users.ts";
export type * from "./storage/webhooks.ts";
export type * from "./storage/workspaces.ts";

/** All that is kept, one repository an aggregate. Absence is `undefined`, times are ms since the epoch. */
export interface Repositories {
  users: Users;
  sessions: Sessions;
  emailTokens: EmailTokens;
  guards: Guards;
  workspaces: Workspaces;
  settings: SettingsRepository;
  members: Members;
  invitations: Invitations;
  plans: Plans;
  usage: Usage;
  contents: Contents;
  templates: Templates;
  stylesheets: Stylesheets;
  apiKeys: ApiKeys;
  attachments: Attachments;
  emails: Emails;
  batches: Batches;
  emailQueue: EmailQueue;
  campaigns: Campaigns;
  metrics: Metrics;
  idempotencyKeys: IdempotencyKeys;
  suppressions: Suppressions;
  reports: Reports;
  dedupeKeys: DedupeKeys;
  inboundEndpoints: InboundEndpoints;
  events: Events;
  webhooks: Webhooks;
  webhookDeliveries: WebhookDeliveries;
  domains: Domains;
  operations: Operations;
  retention: Retention;
  recipients: Recipients;
  erasures: Erasures;
  smtpServers: SmtpServers;
}

/** The repositories inside a transaction of the host's. */
export interface JoinedRepositories extends Repositories {
  /** Says that there will be something new once the host commits. */
  notify(topics: Topic[]): Promise<void>;
}

/** A transaction of the host's, which the host ends. */
export interface HostTransaction extends JoinedRepositories {
  /**
   * Runs `work` whole or not at all: where it rejects, nothing of it is left, and the host's transaction goes on as if it had not been.
   * Nothing else of ours runs in the transaction meanwhile, so `work` uses only the repositories that it is given.
   */
  savepoint<T>(work: (repositories: JoinedRepositories) => Promise<T>): Promise<T>;
}

/** What is new in the storage: work for the delivery of e-mails, for that of webhooks, for the feeding of campaigns, or events to tell. */
export type Topic = "emails" | "webhooks" | "events" | "campaigns";

/** Where everything is kept. Outside `transaction`, every call is its own transaction. `Tx` is what it takes as a transaction of the host's. */
export interface Storage<Tx = never> extends Repositories {
  /** Runs `work` atomically: commits when it resolves, rolls back when it rejects. `work` waits for nothing but this storage. It may run again where the engine asks for it. */
  transaction<T>(work: (repositories: Repositories) => Promise<T>): Promise<T>;
  /** The repositories inside the host's own open transaction, which the host ends. What a handle is, the storage says. */
  within(transaction: Tx): HostTransaction;
  /** Says that there is something new, to every process on this storage. Never rejects. */
  notify(topics: Topic[]): Promise<void>;
  /** Hears of news, of this process at once and of others within a second; returns how to stop. */
  subscribe(listener: (topic: Topic) => void): () => void;
  /** Brings the schema up to date; safe from many processes at once. The names of the migrations that ran. Rejects with `SchemaMismatch`. */
  migrate(): Promise<string[]>;
  /** Migrations with the time each was applied at, oldest first; `isKnown` is false for what another version applied. Changes nothing. */
  migrations(): Promise<{ name: string; appliedAt: number | undefined; isKnown: boolean }[]>;
  /** The time that decides between processes, ms since the epoch: the database's clock. */
  now(): Promise<number>;
  /** Whether the storage answers; rejects with `StorageUnavailable` if not. */
  ping(): Promise<void>;
  /** Whether an answer comes over a network: then reads that can go out together do. Default false. */
  isRemote?: boolean;
  /**
   * Gives room that removed rows have left back to the disk, a piece at a time; how many bytes. Where `all`, also what would be needed
   * again soon. 0 where the engine sees to it by itself.
   */
  reclaim(options?: { all?: boolean; stopped?: () => boolean }): Promise<number>;
  /** Ends what the storage opened itself. What is asked from then on rejects. */
  close(): Promise<void>;
}

/** A unique index refused a row. `constraint` is a word of the domain, such as `"users.email"` or `"templates.name"`. */
export class UniqueViolation extends Error {
  override name = "UniqueViolation";
  readonly constraint: string;
  constructor(constraint: string, options?: ErrorOptions) {
    super(`${constraint} is taken`, options);
    this.constraint = constraint;
  }
}

/** The database's schema was made by another version: a newer one, or one of another history. Nothing was changed. */
export class SchemaMismatch extends Error {
  override name = "SchemaMismatch";
}

/** The storage can't be reached, is full, or is held by others for too long. The request may be tried again. */
export class StorageUnavailable extends Error {
  override name = "StorageUnavailable";
}
