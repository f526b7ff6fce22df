import { errorKind, hasInstance } from "./error-kind.ts";
import type { ApiKeys } from "./storage/api-keys.ts";
import type { Attachments } from "./storage/attachments.ts";
import type { Batches } from "./storage/batches.ts";
import type { Campaigns } from "./storage/campaigns.ts";
import type { Domains } from "./storage/domains.ts";
import type { EmailQueue } from "./storage/email-queue.ts";
import type { Emails } from "./storage/emails.ts";
import type { Events } from "./storage/events.ts";
import type { Imports } from "./storage/imports.ts";
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
import type { Tracking } from "./storage/tracking.ts";
import type { EmailTokens, Guards, Sessions, Users } from "./storage/users.ts";
import type { WebhookDeliveries, Webhooks } from "./storage/webhooks.ts";
import type { Invitations, Members, SettingsRepository, Workspaces } from "./storage/workspaces.ts";
import type { Holder } from "./turns.ts";

export type * from "./storage/api-keys.ts";
export type * from "./storage/attachments.ts";
export type * from "./storage/batches.ts";
export * from "./storage/campaign-recipients.ts";
export * from "./storage/campaigns.ts";
export type * from "./storage/domains.ts";
export * from "./storage/email-queue.ts";
export type * from "./storage/email-recipients.ts";
export * from "./storage/emails.ts";
export type * from "./storage/events.ts";
export type * from "./storage/imports.ts";
export type * from "./storage/inbound-endpoints.ts";
export * from "./storage/lane.ts";
export * from "./storage/metrics.ts";
export type * from "./storage/operations.ts";
export type * from "./storage/paging.ts";
export type * from "./storage/plans.ts";
export type * from "./storage/recipient-hits.ts";
export type * from "./storage/recipient-report.ts";
export * from "./storage/recipients.ts";
export type * from "./storage/reports.ts";
export * from "./storage/restored-copy.ts";
export type * from "./storage/retention.ts";
export * from "./storage/sealed-texts.ts";
export type * from "./storage/send-keys.ts";
export * from "./storage/smtp-servers.ts";
export * from "./storage/stored-json.ts";
export * from "./storage/suppressions.ts";
export type * from "./storage/templates.ts";
export type * from "./storage/tracking.ts";
export type * from "./storage/users.ts";
export type * from "./storage/webhooks.ts";
export type * from "./storage/workspaces.ts";

/** The repositories, one for each aggregate. Absent values are `undefined`, times are ms since the epoch. */
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
  imports: Imports;
  reports: Reports;
  tracking: Tracking;
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
  /** Notifies the topics once the host commits. */
  notify(topics: Topic[]): Promise<void>;
}

/** A transaction of the host's, which the host ends. */
export interface HostTransaction extends JoinedRepositories {
  /**
   * Runs `work` in a savepoint: if it rejects, its changes are undone, and the host's transaction continues. No other
   * call of the service uses the transaction in the meantime, so `work` must use only the repositories that it is
   * given.
   */
  savepoint<T>(work: (repositories: JoinedRepositories) => Promise<T>): Promise<T>;
  /** Returns the time of the database's clock, as `Storage.now` does. */
  now(): Promise<number>;
}

/**
 * Topics of notifications: e-mails to deliver, webhooks to deliver, events to publish, campaigns to feed, recipients to
 * erase.
 */
export const topics = ["emails", "webhooks", "events", "campaigns", "erasures"] as const;

/** Topic of a notification. */
export type Topic = (typeof topics)[number];

/**
 * The storage of all data. Outside `transaction`, each call is a transaction of its own. `Tx` is the type of a host's
 * transaction handle.
 */
export interface Storage<Tx = never> extends Repositories {
  /** The version of Posthorn that it was made for: one of another is refused. Left out, it is taken for any. */
  readonly version?: string;
  /**
   * Runs `work` atomically: commits if it resolves, rolls back if it rejects. `work` must await only this storage. It
   * may run again if the engine requires that. An engine with a limited number of connections gives each `holder` only a
   * part of them; without one, as for sends and deliveries, the transaction waits for no other's.
   */
  transaction<T>(work: (repositories: Repositories) => Promise<T>, holder?: Holder | undefined): Promise<T>;
  /**
   * Begins to assume that reads are answered as they were before, if the storage is so far away that a round trip
   * counts; `undefined` while it had better not.
   */
  assume?(): Assumptions | undefined;
  /**
   * Returns the repositories inside the host's own open transaction, which the host ends. The storage defines the type
   * of handle.
   */
  within(transaction: Tx): HostTransaction;
  /** Notifies all processes on this storage of topics. Never rejects. */
  notify(topics: Topic[]): Promise<void>;
  /**
   * Subscribes to notifications, from this process at once and from others within a second. Returns the function that
   * unsubscribes.
   */
  subscribe(listener: (topic: Topic) => void): () => void;
  /**
   * Updates the schema; safe for many processes at once. Resolves to the names of the migrations that ran. Rejects with
   * `SchemaMismatch`, and with `StorageUnsuited` if another program's tables are in the way.
   */
  migrate(): Promise<string[]>;
  /**
   * Lists the applied migrations with their times, oldest first. `isKnown` is false for one that another version
   * applied. Changes nothing.
   */
  migrations(): Promise<{ name: string; appliedAt: number | undefined; isKnown: boolean }[]>;
  /** Returns the time of the database's clock, which all processes agree on, in ms since the epoch. */
  now(): Promise<number>;
  /** Whether the storage answers; rejects with `StorageUnavailable` if not. */
  ping(): Promise<void>;
  /** Throws `StorageUnavailable` once damage was met: what is there is read and sent, but no more is accepted. */
  assertSound?(): void;
  /** Whether calls go over a network: concurrent reads are sent together, and machines go by its clock. Default false. */
  isRemote?: boolean;
  /**
   * Returns the space of removed rows to the disk, in pieces, until `stopped` returns true. Resolves to the number of
   * bytes. With `all`, this includes space that would be needed again soon. 0 if the engine does so by itself.
   */
  reclaim(options?: { all?: boolean; stopped?: () => boolean }): Promise<number>;
  /** Closes what the storage opened itself. Later calls reject. */
  close(): Promise<void>;
}

/** Answers that are assumed, and a transaction that confirms them. */
export interface Assumptions {
  /** Answers short reads from memory; all else rejects with `Unconfirmed`. */
  reads: Repositories;
  /**
   * Like the storage's `transaction`, but rejects with `Unconfirmed`, and has changed nothing, unless `reads` would
   * answer the same in it. `work` runs once.
   */
  transaction<T>(work: (repositories: Repositories) => Promise<T>): Promise<T>;
}

/** Error for an answer that can't be assumed, or is no longer the same: nothing was changed. */
export class Unconfirmed extends Error {
  override name = "Unconfirmed";
  get [errorKind](): string {
    return "Unconfirmed";
  }
  static override [Symbol.hasInstance] = hasInstance;
}

/**
 * Error of a unique index that refused a row. `constraint` names it by table and field, such as `"users.email"` or
 * `"templates.name"`.
 */
export class UniqueViolation extends Error {
  override name = "UniqueViolation";
  get [errorKind](): string {
    return "UniqueViolation";
  }
  static override [Symbol.hasInstance] = hasInstance;
  readonly constraint: string;
  constructor(constraint: string, options?: ErrorOptions) {
    super(`${constraint} is taken`, options);
    this.constraint = constraint;
  }
}

/**
 * Error for a database schema that another version created: a newer one, or one with other migrations. Nothing was
 * changed.
 */
export class SchemaMismatch extends Error {
  override name = "SchemaMismatch";
  get [errorKind](): string {
    return "SchemaMismatch";
  }
  static override [Symbol.hasInstance] = hasInstance;
}

/**
 * Error for a database, or a host's handle on one, as which something stored could be lost or hidden. The message says
 * what to change. Nothing was changed.
 */
export class StorageUnsuited extends Error {
  override name = "StorageUnsuited";
  get [errorKind](): string {
    return "StorageUnsuited";
  }
  static override [Symbol.hasInstance] = hasInstance;
}

/**
 * Error for a storage that can't be reached, is full, or is locked by others for too long. The request may be retried,
 * unless `isFinal`.
 */
export class StorageUnavailable extends Error {
  override name = "StorageUnavailable";
  get [errorKind](): string {
    return "StorageUnavailable";
  }
  static override [Symbol.hasInstance] = hasInstance;
  /**
   * Whether no later call can succeed: the storage was closed, the host's pool under it was ended, its file failed, or a
   * pooler in front allows no transactions.
   */
  readonly isFinal: boolean;
  /** Whether only other transactions' locks were in the way: nothing was written, and what needs none of these may succeed. */
  readonly isLocked: boolean;
  /** The message is for the log. */
  constructor(
    message?: string,
    {
      isFinal = false,
      isLocked = false,
      ...options
    }: ErrorOptions & { isFinal?: boolean; isLocked?: boolean } = {},
  ) {
    super(message, options);
    this.isFinal = isFinal;
    this.isLocked = isLocked;
  }
}
