import type { z } from "zod";
import { type Admitted, admit, type HostLogin } from "../calls/admit.ts";
import { authenticateUser, callerOf, createApiKeys } from "../calls/authenticate.ts";
import type { Call } from "../calls/call.ts";
import { type ApiKeyCaller, isNumberOf, type UserCaller } from "../calls/caller.ts";
import { execute } from "../calls/execute.ts";
import type { InputOf, OutputOf } from "../calls/use-case.ts";
import type { LoggedEvent } from "../events/event-view.ts";
import { type FollowOptions, followEventBatches, followEvents } from "../events/follow-events.ts";
import { createListeners, type Listen } from "../events/listeners.ts";
import type { Access } from "../permissions.ts";
import { type Logger, unfailingLogger } from "../ports/logger.ts";
import type { MetricCounts, QueueStatus, Storage, WebhookStatus } from "../ports/storage.ts";
import { removeAndReclaim } from "../queue/retention/remove-old.ts";
import type { DrainOptions } from "../queue/worker.ts";
import type { Visit } from "../tracking/hits/judge-visit.ts";
import { announceExpiringKeys } from "../workspaces/api-keys/announce-expiring-keys.ts";
import { bindVerbs, type View } from "./bind-verbs.ts";
import type { Counters } from "./counters.ts";
import { deliveryOf } from "./create-delivery.ts";
import { createPing } from "./create-ping.ts";
import { createRuntime, type RuntimeChanges } from "./create-runtime.ts";
import type { Config, PosthornOptions, WorkspaceGiven } from "./options.ts";
import { readOnlyWorkspace } from "./read-only-workspace.ts";
import { type ReplaceSecretKeyOptions, replaceSecretKey } from "./replace-secret-key.ts";
import type { SealedOtherwise } from "./reseal-secrets.ts";
import { createSecretKeyCheck } from "./secret-key-check.ts";

/**
 * The service: all use cases by aggregate and verb, and methods to run it. `Tx` is the type of the host's transactions
 * (`PostgresTransaction`, `SqliteTransaction`; `never` for any storage, without transactions); `Given` is `"workspace"`
 * for a service with one, whose calls need not name it: `Posthorn<PostgresTransaction, "workspace">`.
 */
export interface Posthorn<Tx = never, Given extends "workspace" = never> extends View<Tx, Given> {
  /** The options with their defaults. */
  readonly config: Config;
  /** The storage that it was created with, which the host must close. */
  readonly storage: Storage<Tx>;
  /** Writes to the logger it was created with, if any; what that throws fails nothing. */
  readonly logger: Logger;
  /**
   * Updates the storage's schema and checks that the secret key is the one that the database was created with. Returns
   * the names of the migrations that ran. Safe from many processes at once. Throws `SecretKeyMismatch` for another key,
   * `SchemaMismatch` if a newer version has migrated the database, and `IncompleteCopy` if a copy into it was interrupted.
   */
  migrate(this: void): Promise<string[]>;
  /**
   * Throws `SecretKeyMismatch` if the secret key is not the one the database was created with, and `IncompleteCopy` if a
   * copy into it was interrupted. `migrate`, `start` and `drain` check this too.
   */
  checkSecretKey(this: void): Promise<void>;
  /**
   * Makes this service's secret key the database's: everything stored that one of `formerSecretKeys` sealed is sealed
   * anew. Stop every other process first, and what this one delivers. Interrupted, it can be repeated, and nothing starts
   * until it has. Resolves to the numbers of secrets. Throws `SecretKeyMismatch`, and has changed nothing, if no known key
   * opens some; `giveUpUnreadable` leaves those as they are, unreadable.
   */
  replaceSecretKey(this: void, options?: ReplaceSecretKeyOptions): Promise<SealedOtherwise>;
  /**
   * Starts delivering queued mail in this process, and returns at once. Whether the secret key is the database's is
   * checked first: if it is not, nothing is delivered, and the logger is told why. Throws after `close`; after `stop` it
   * starts again.
   */
  start(this: void): void;
  /**
   * Stops delivering. Waits for messages that are being delivered, at most 25 s. The storage and the mailer stay open.
   * Resolves to the number of deliveries that it abandons, because they take longer or the storage does not take their
   * results: they are tried again when their leases expire, and may arrive twice.
   */
  stop(this: void): Promise<number>;
  /**
   * Delivers all due work, including work that this makes due, until nothing is left or the signal aborts, and writes the
   * opens and clicks taken so far. What a started worker of this service has in progress is waited for; what other
   * processes have is not. Returns the number of items that it delivered itself. For tests and one-shot workers. Throws
   * what `checkSecretKey` throws, and a `TypeError` for anything but its options, such as a scheduler's job.
   */
  drain(this: void, options?: DrainOptions): Promise<number>;
  /** Deletes data whose retention period has ended. A started service does this hourly. */
  prune(this: void): Promise<number>;
  /**
   * Notifies owners of workspaces whose API keys expire within 14 days, once per key. Returns the number of keys. A
   * started service does this hourly.
   */
  announceExpiringKeys(this: void): Promise<number>;
  /** Subscribes to events of this process, after their commit. Returns the function that unsubscribes. */
  on: Listen;
  /**
   * Iterates over the events of all processes as they are committed, without gaps, until the signal aborts. They are
   * frozen, as all followers in this process get the same ones. Rejects with `validation_failed` for an option that is
   * wrong or unknown, and if the storage fails: follow again after the last id seen.
   */
  followEvents(this: void, options: FollowOptions): AsyncGenerator<LoggedEvent>;
  /**
   * As `followEvents`, with all events that one look at the log found at a time, to be handed on together. Followers with
   * the same filter get the same array.
   */
  followEventBatches(this: void, options: FollowOptions): AsyncGenerator<readonly LoggedEvent[]>;
  /** Executes one use case for a caller, as the HTTP server does. */
  execute<U extends { access: Access; input: z.ZodType }>(
    this: void,
    useCase: U,
    input: InputOf<U>,
    call: Call,
  ): Promise<OutputOf<U>>;
  /** Returns the user of a session token; `undefined` if the token is not valid. */
  authenticateUser(this: void, token: string): Promise<UserCaller | undefined>;
  /**
   * Returns the caller of an API key; `undefined` if the key is not valid. Throws `api_key_expired` if it has expired.
   */
  authenticateApiKey(this: void, key: string): Promise<ApiKeyCaller | undefined>;
  /**
   * Returns the caller of an API key that was valid when it was last used, while the key is looked up: `execute` waits
   * for the result if it matters, and reads issued before are sent to the database together with it. `undefined` for
   * any other key. Valid for one call.
   */
  expectApiKey(this: void, key: string): ApiKeyCaller | undefined;
  /** Returns a user as a caller, by number or by the host's own id. For hosts with logins of their own. */
  findUser(this: void, who: number | { externalId: string }): Promise<UserCaller | undefined>;
  /**
   * Trusts the host's authentication: returns the user with an external id, and their role in a workspace. `undefined`
   * if no user has that id. Throws `not_found` for a missing workspace.
   */
  admit(this: void, login: HostLogin): Promise<Admitted | undefined>;
  /**
   * Whether a token belongs to this service: a session token that it signed, valid or not, or a token in the form of an
   * API key.
   */
  isOwnToken(this: void, token: string): boolean;
  /**
   * Takes a request for a tracked link, and returns the address that the link leads to; `undefined` if this service did
   * not make it. It waits for nothing: clicks are written once a second. Without `visit` nothing is counted, as for HEAD
   * (platform.md P11).
   */
  followLink(this: void, token: string, visit: Visit | undefined): string | undefined;
  /** Takes a request for the image of an e-mail, as `followLink` does; of a token that is not ours nothing is counted. */
  recordOpen(this: void, token: string, visit: Visit): void;
  /** Whether the storage answers and has been migrated; rejects with `StorageUnavailable` if not. */
  ping(this: void): Promise<void>;
  /** Returns the size of the queue, and how many webhook deliveries wait. */
  queueStatus(this: void): Promise<QueueStatus & { webhooks: WebhookStatus }>;
  /** Returns the outcomes of all mail since the database was created, by recipient. */
  mailTotals(this: void): Promise<(MetricCounts & { domain: string })[]>;
  /** Returns the time of the service's clock, in ms since the epoch. */
  now(this: void): number;
  /** Returns the counters of this process's worker since the service was created. Reads no storage. */
  counters(this: void): Counters;
  /**
   * Stops delivery, then closes the service's own threads and connections. The storage and the mailer are the host's to
   * close.
   */
  close(this: void): Promise<void>;
  /** Same as `close`, for `await using`. */
  [Symbol.asyncDispose](this: void): Promise<void>;
}

/**
 * Creates a service on a storage and a mailer. Call `migrate()` before anything else. Nothing runs until it is called
 * or started, nothing is global, and no environment variable is read: two services in one process are independent.
 * Throws a `TypeError` that names an invalid option.
 */
export function createPosthorn<Tx>(options: PosthornOptions<Tx> & { workspace?: undefined }): Posthorn<Tx>;
/**
 * Creates a service with one workspace on a storage and a mailer: calls need not name the workspace. Call `migrate()`
 * before anything else. Nothing runs until it is called or started, nothing is global, and no environment variable is
 * read. Throws a `TypeError` that names an invalid option.
 */
export function createPosthorn<Tx>(options: PosthornOptions<Tx> & WorkspaceGiven): Posthorn<Tx, "workspace">;
/**
 * Creates a service from options of which the types don't tell whether they name an only workspace: each call has to
 * name its workspace.
 */
export function createPosthorn<Tx>(options: PosthornOptions<Tx>): Posthorn<Tx>;
/** The overloads' implementation. */
export function createPosthorn<Tx>(options: PosthornOptions<Tx>): Posthorn<Tx> {
  return createService(options);
}

/** Creates a service, with changes that only tests make. */
export function createService<Tx>(options: PosthornOptions<Tx>, changes?: RuntimeChanges): Posthorn<Tx> {
  if (typeof options !== "object" || options === null)
    throw new TypeError("createPosthorn takes an object with storage, mailer and secretKey");
  const listeners = createListeners(options.logger && unfailingLogger(options.logger));
  const workspace = options.workspace === undefined ? undefined : readOnlyWorkspace(options.workspace);
  const runtime = createRuntime(options, { tell: listeners.tell, workspace, changes });
  const secretKey = createSecretKeyCheck(runtime);
  const delivery = deliveryOf(runtime, secretKey);
  const apiKeys = createApiKeys(runtime);
  return {
    ...bindVerbs<Tx>(runtime),
    ...delivery,
    config: runtime.config,
    storage: options.storage,
    logger: runtime.logger,
    async migrate() {
      const ran = await runtime.storage.migrate();
      await delivery.checkSecretKey();
      await runtime.onlyWorkspace?.ensure();
      return ran;
    },
    replaceSecretKey: (options = {}) => replaceSecretKey(runtime, options),
    prune: () => removeAndReclaim(runtime),
    announceExpiringKeys: () => announceExpiringKeys(runtime),
    on: listeners.on,
    followEvents: (follow) => followEvents(runtime.storage, follow),
    followEventBatches: (follow) => followEventBatches(runtime.storage, follow),
    execute: (useCase, input, call) => execute(runtime, useCase, input, call),
    authenticateUser: (token) => authenticateUser(runtime, token),
    authenticateApiKey: apiKeys.authenticate,
    expectApiKey: apiKeys.expect,
    admit: (login) => admit(runtime, login),
    isOwnToken: (token) => token.startsWith("sk_") || runtime.tokens.isOwn(token),
    async findUser(who) {
      if (!isNumberOf(who) && typeof Object(who).externalId !== "string")
        throw new TypeError("findUser takes a user's number, or { externalId } with a text");
      const { users } = runtime.storage;
      const user = await (typeof who === "number" ? users.find(who) : users.findByExternalId(who.externalId));
      return user && callerOf(user, undefined);
    },
    followLink(token, visit) {
      const subject = runtime.trackingTokens.read(token);
      if (subject?.kind !== "click") return undefined;
      if (visit !== undefined) runtime.hits.take(subject, visit);
      return subject.url;
    },
    recordOpen(token, visit) {
      const subject = runtime.trackingTokens.read(token);
      if (subject?.kind === "open") runtime.hits.take(subject, visit);
    },
    now: runtime.now,
    ping: createPing(runtime.storage),
    mailTotals: () => runtime.storage.metrics.totalsByDomain(),
    async queueStatus() {
      const now = await runtime.queueClock.exact();
      const { emailQueue, webhookDeliveries } = runtime.storage;
      const [emails, webhooks] = await Promise.all([emailQueue.status(now), webhookDeliveries.status(now)]);
      return { ...emails, webhooks };
    },
    [Symbol.asyncDispose]: delivery.close,
  };
}
