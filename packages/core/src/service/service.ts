import type { z } from "zod";
import { type Admitted, admit, type HostLogin } from "../calls/admit.ts";
import { authenticateUser, callerOf, createApiKeys } from "../calls/authenticate.ts";
import type { ApiKeyCaller, UserCaller } from "../calls/caller.ts";
import { type Call, execute } from "../calls/execute.ts";
import type { InputOf, OutputOf } from "../calls/use-case.ts";
import type { LoggedEvent } from "../events/event-view.ts";
import { type FollowOptions, followEvents } from "../events/follow-events.ts";
import { createListeners, type Listen } from "../events/listeners.ts";
import type { Access } from "../permissions.ts";
import type { Logger } from "../ports/logger.ts";
import type { QueueStatus } from "../ports/storage/email-queue.ts";
import type { MetricCounts } from "../ports/storage/metrics.ts";
import type { Storage } from "../ports/storage.ts";
import { tellRestoredCopy } from "../queue/restored-copy.ts";
import { removeAndReclaim } from "../queue/retention/remove-old.ts";
import { createWorker, type DrainOptions, type Worker } from "../queue/worker.ts";
import { tellExpiringKeys } from "../workspaces/api-keys/tell-expiring-keys.ts";
import { bindVerbs, type View } from "./bind-verbs.ts";
import type { Counters } from "./counters.ts";
import { createRuntime } from "./create-runtime.ts";
import type { Config, PosthornOptions } from "./options.ts";
import { createSecretKeyCheck } from "./secret-key-check.ts";

/** The service: every use case by aggregate and verb, and what runs it. */
export interface Posthorn<Tx = never, Given extends "workspace" = never> extends View<Tx, Given> {
  /** The options with their defaults. */
  readonly config: Config;
  /** The storage that it was made on, which the host closes. */
  readonly storage: Storage<Tx>;
  /** The logger it was created with; a silent one if there was none. */
  readonly logger: Logger;
  /**
   * Brings the storage's schema up to date, and makes sure that the secret key is the one the database was begun with. The names of
   * the migrations that ran. Throws `SecretKeyMismatch` for another key.
   */
  migrate(): Promise<string[]>;
  /**
   * Throws `SecretKeyMismatch` if the secret key is not the one the database was created with. `migrate`, `start` and
   * `drain` check this too.
   */
  checkSecretKey(): Promise<void>;
  /** Takes this service's secret key for the database's: for when the former one is lost, and with it every secret that was kept. */
  replaceSecretKey(): Promise<void>;
  /** Starts delivering queued mail in this process; never with a secret key other than the database's. */
  start(): void;
  /** Stops delivering; waits for messages under way, at most 25 s. The storage and the mailer stay open. */
  stop(): Promise<void>;
  /**
   * Delivers everything due, including what becomes due through it, until nothing is left or the signal aborts; answers
   * how much it was. For tests and one-shot workers.
   */
  drain(options?: DrainOptions): Promise<number>;
  /** Deletes data whose retention has ended. A started service does so hourly. */
  prune(): Promise<number>;
  /** Tells the owners of workspaces whose API keys end within 14 days, of each key once; how many keys. A started service does it hourly. */
  tellExpiringKeys(): Promise<number>;
  /** Subscribes to events of this process, after their commit; returns the function that unsubscribes. */
  on: Listen;
  /** Events of every process as they are committed, without a gap, until the signal aborts. */
  followEvents(options: FollowOptions): AsyncGenerator<LoggedEvent>;
  /** Runs one use case for a caller: the road that HTTP takes. */
  execute<U extends { access: Access; input: z.ZodType }>(
    useCase: U,
    input: InputOf<U>,
    call: Call,
  ): Promise<OutputOf<U>>;
  /** The person a login's JWT stands for; `undefined` for any that can't be used. */
  authenticateUser(token: string): Promise<UserCaller | undefined>;
  /** The caller behind an API key; `undefined` for any that can't be used. Throws `api_key_expired` for one whose time is over. */
  authenticateApiKey(key: string): Promise<ApiKeyCaller | undefined>;
  /**
   * The caller behind an API key that was good when it last came here, while it is looked up: `execute` waits for that where it counts,
   * and what reads before it is sent goes to the database with it. `undefined` for any other key. It is for one call.
   */
  expectApiKey(key: string): ApiKeyCaller | undefined;
  /** A user as a caller, by number or by the host's own id, for a host that has its own logins. */
  findUser(who: number | { externalId: string }): Promise<UserCaller | undefined>;
  /**
   * Trusts the host about who calls: the user with an external id, and their role in a workspace. `undefined` if no
   * user has that id. Throws `not_found` for a missing workspace.
   */
  admit(login: HostLogin): Promise<Admitted | undefined>;
  /** Whether a token is of this service: a login's that it signed, whatever became of it, or of an API key's form. */
  isOwnToken(token: string): boolean;
  /** Whether the storage answers; rejects with `StorageUnavailable` if not. */
  ping(): Promise<void>;
  /** The size of the queue. */
  queueStatus(): Promise<QueueStatus>;
  /** Outcomes of all mail since the database was created, by recipient. */
  mailTotals(): Promise<(MetricCounts & { domain: string })[]>;
  /** The time by the service's clock, in ms since the epoch. */
  now(): number;
  /** Counters of this process's worker since the service was created. Costs nothing. */
  counters(): Counters;
  /** Ends helper threads and connections of the service's own. Stops first. The storage and the mailer are the host's to close. */
  close(): Promise<void>;
  /** `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Makes a service on a storage and a mailer. `migrate()` it before anything else. Nothing runs until it is called or started, nothing is
 * global, and no environment is read: two services in one process know nothing of each other. Throws a `TypeError` that names a bad option.
 */
export function createPosthorn<Tx>(options: PosthornOptions<Tx> & { workspace?: undefined }): Posthorn<Tx>;
/**
 * Makes a service with one workspace on a storage and a mailer: no call has to name it. `migrate()` it before anything else. Nothing runs
 * until it is called or started, nothing is global, and no environment is read. Throws a `TypeError` that names a bad option.
 */
export function createPosthorn<Tx>(
  options: PosthornOptions<Tx> & Required<Pick<PosthornOptions<Tx>, "workspace">>,
): Posthorn<Tx, "workspace">;
/** Makes a service on options that may or may not name its one workspace: each call does, to be on the safe side. */
export function createPosthorn<Tx>(options: PosthornOptions<Tx>): Posthorn<Tx>;
/** All of them. */
export function createPosthorn<Tx>(options: PosthornOptions<Tx>): Posthorn<Tx> {
  const listeners = createListeners(options.logger);
  const runtime = createRuntime(options, listeners.tell);
  const worker: Worker = createWorker(runtime);
  const secretKey = createSecretKeyCheck(runtime);
  const apiKeys = createApiKeys(runtime);
  let starting: { cancel(): void } | undefined;
  const tellCopy = (): void =>
    void tellRestoredCopy(runtime).catch((error: unknown) =>
      runtime.logger.error({ err: error }, "whether the database is a restored copy could not be asked"),
    );
  const stop = async (): Promise<void> => {
    starting?.cancel();
    await runtime.afterwards.settled();
    await worker.stop();
  };
  const close = async (): Promise<void> => {
    await stop();
    await Promise.all([runtime.inlining.close(), runtime.httpSender.close()]);
  };
  return {
    ...bindVerbs<Tx>(runtime),
    config: runtime.config,
    storage: options.storage,
    logger: runtime.logger,
    async migrate() {
      const ran = await runtime.storage.migrate();
      await secretKey.assert();
      await runtime.onlyWorkspace?.ensure();
      // Mail accepted from the first moment on falls due by the database's clock.
      await runtime.queueClock.ask();
      return ran;
    },
    async checkSecretKey() {
      await secretKey.assert();
      await runtime.queueClock.ask();
    },
    replaceSecretKey: secretKey.replace,
    start() {
      starting?.cancel();
      starting = secretKey.whenRight(() => {
        worker.start();
        tellCopy();
      });
    },
    stop,
    async drain(options) {
      await secretKey.assert();
      await runtime.afterwards.settled();
      await tellRestoredCopy(runtime);
      return await worker.drain(options);
    },
    prune: () => removeAndReclaim(runtime),
    tellExpiringKeys: () => tellExpiringKeys(runtime),
    on: listeners.on,
    followEvents: (follow) => followEvents(runtime.storage, follow),
    execute: (useCase, input, call) => execute(runtime, useCase, input, call),
    authenticateUser: (token) => authenticateUser(runtime, token),
    authenticateApiKey: apiKeys.authenticate,
    expectApiKey: apiKeys.expect,
    admit: (login) => admit(runtime, login),
    isOwnToken: (token) => token.startsWith("sk_") || runtime.tokens.isOwn(token),
    async findUser(who) {
      const { users } = runtime.storage;
      const user = await (typeof who === "number" ? users.find(who) : users.findByExternalId(who.externalId));
      return user && callerOf(user, undefined);
    },
    counters: () => structuredClone(runtime.counters),
    now: runtime.now,
    ping: () => runtime.storage.ping(),
    mailTotals: () => runtime.storage.metrics.totalsByDomain(),
    queueStatus: async () => runtime.storage.emailQueue.status(await runtime.queueClock.exact()),
    close,
    [Symbol.asyncDispose]: close,
  };
}
