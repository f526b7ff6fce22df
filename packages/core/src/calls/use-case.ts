import type { z } from "zod";
import type { ErrorCode, ServiceError } from "../errors.ts";
import type { EventMetadata, EventType } from "../events.ts";
import type { Acceptance } from "../mail/acceptance/acceptance.ts";
import type { EmailEvent, Notifications } from "../mail/notifications.ts";
import type { SystemMail } from "../mail/system-mails.ts";
import type { Access, Permission, Way, WaysOf } from "../permissions.ts";
import type { Repositories, Storage, Topic } from "../ports/storage.ts";
import type { Holder } from "../ports/turns.ts";
import type { Config } from "../service/options.ts";
import type { Facilities } from "../service/runtime.ts";
import type { Caller, ClientInfo, UserCaller, WorkspaceScope } from "./caller.ts";
import type { ChangePiece } from "./change-piece.ts";
import { assertSchema } from "./input/assert-schema.ts";

type CallerFor<W extends Way> = W extends "user"
  ? UserCaller
  : W extends "api_key"
    ? Extract<Caller, { kind: "api_key" | "operator" }>
    : Caller;

type WorkspaceFor<W extends Way> = W extends Permission | "api_key" ? WorkspaceScope : undefined;

/** The context of a use case that only reads. */
export interface ReadContext<A extends Access = Access> {
  /** The repositories inside the call's transaction; in `prepare`, outside any transaction. */
  storage: Repositories;
  /** The caller, of a kind that `access` allows. */
  caller: CallerFor<WaysOf<A>>;
  /**
   * The workspace that the call acts on: set if access came by a permission or a key, unset for an administrator's call
   * across all workspaces.
   */
  workspace: WorkspaceFor<WaysOf<A>>;
  /** The origin of the request. */
  client: ClientInfo;
  /** Time of the call, ms since the epoch. */
  now: number;
  /** The service's options with all defaults. */
  config: Config;
  /** Secrets, hashing, ids, inlining: everything with a cost or a key. Its storage is not exposed. */
  runtime: Facilities;
  /** Accepts e-mails, in the service's own transactions or inside the host's. */
  acceptance: Acceptance;
  /** For long work, in `prepare` or in a use case that `reads`: see `ChangePiece`. */
  changePiece: ChangePiece;
  /** Runs a piece of long work that changes nothing, once it is the workspace's turn: see `LongWork`. */
  piece<T>(work: () => Promise<T>): Promise<T>;
  /** Waits for the workspace's turn between two pieces that use only the event loop. Does nothing in a host's transaction. */
  pause(): Promise<void> | undefined;
  /**
   * Lets other work run, for calls that may be short: these have turns of their own and wait for no long call. Does
   * nothing in a host's transaction.
   */
  yieldThread(): Promise<void> | undefined;
  /**
   * Returns the space of deleted rows to the disk. Does nothing inside a host's transaction, which frees no space
   * before its commit.
   */
  reclaim: Storage["reclaim"];
}

/** An event to record, published once it is committed. */
export interface Emission<M = Record<string, unknown>> {
  /** Keys as listed in `eventKinds`. */
  metadata?: M;
  /** Default: the call's workspace; none for personal events. */
  workspaceId?: number;
  /** The user whose personal log it goes to; default for personal events: the caller. */
  userId?: number;
  /** Default: the caller. */
  actor?: { id: number | undefined; name: string };
  /** Whether it happened in the other way of those that `eventKinds` has words for. Default false. */
  isOtherwise?: boolean;
}

/** The context of a use case that changes something. */
export interface WriteContext<A extends Access = Access> extends ReadContext<A> {
  /** Records an event for audit, in-process listeners and the stream, in the same transaction. */
  emit<T extends EventType>(type: T, emission?: Emission<EventMetadata<T>>): void;
  /** Records an event of an e-mail: as `emit`, and for the webhooks that subscribe to it. */
  emitEmailEvent(emailEvent: EmailEvent): void;
  /** Writes event rows that were built by the code that made the change. */
  record(notifications: Notifications): void;
  /** Sends one of the service's own mails, queued in the same transaction. */
  mail(mail: SystemMail): void;
  /** Notifies workers of rows that `run` itself inserted, once committed. */
  wake(topic: Topic): void;
}

/** How equal calls, such as clicks on one link, are answered without the cost of each. */
export interface Repeats<A extends Access, I extends z.ZodType, P, O> {
  /** The same text for calls with the same effect and answer: of those that wait at the same time in this process, one is run. */
  key: (context: ReadContext<A>, input: z.output<I>, prepared: P) => string;
  /** Looks outside a transaction for the effect of an earlier call: a result is the answer, without a transaction. */
  find?: (context: ReadContext<A>, input: z.output<I>, prepared: P) => Promise<O | undefined>;
}

/**
 * One operation of the service. `prepare` runs before the transaction: for work that is slow (hashing, inlining) or
 * must be committed whatever the result (guards). `run` runs inside the transaction and awaits only the storage. Throw
 * a `ServiceError` to roll back and refuse; return one to commit and refuse.
 */
export interface UseCase<A extends Access, I extends z.ZodType, P, O> {
  /**
   * Who may call it: one kind of access, or several. If `administrator` is among several, a call across workspaces must
   * say so: `workspaceId: "all"`.
   */
  access: A;
  /** Its own error codes, besides those that all calls of its kind share (`refusalsOf`). */
  refusals?: readonly ErrorCode[];
  /** The input: a `z.strictObject` whose fields have descriptions (`.describe`). */
  input: I;
  /** If only a user may call it: the host's counterpart, by aggregate and verb. */
  insteadForHost?: string;
  /** Whether it needs no transaction of its own: it only reads, or submits e-mails, which are committed in groups. */
  reads?: boolean;
  /** Whether it may take long and has no effect but its answer: it ends early once the caller has left. */
  onlyAnswers?: boolean;
  /** Whether it begins to read while the caller is still looked up, and waits for that itself, before it writes or answers (`confirmCaller`). */
  confirmsCaller?: boolean;
  /**
   * Whether its result is read after the call, like a file's content. Inside a host's transaction it then runs without
   * a savepoint, so that the result can be read until the host ends the transaction.
   */
  readsOn?: boolean;
  /**
   * Whether it excludes other such calls on the workspace until it ends: for changes of roles or counts within the
   * workspace. The lock is always taken before the caller's role, so that two calls can't deadlock.
   */
  locksWorkspace?: boolean;
  /**
   * For administrators: the workspace or user whose row `run` locks. The workspace is locked before the caller, and of
   * two users the one with the lower number first, so that administrators who change each other can't deadlock.
   */
  locks?: (input: z.output<I>) => { workspaceId?: number; userId?: number };
  /**
   * Responds at once, and `run` works in a transaction afterwards: for calls whose response and timing must not reveal
   * what was found. A crash in between loses the work, so callers must be able to repeat the call. In a host's
   * transaction the work is done inside it.
   */
  answersFirst?: O;
  /** Whom the change is for, if it is an anonymous caller's for somebody: such changes take turns with others. Default: the client. */
  holder?: (context: ReadContext<A>, input: z.output<I>, prepared: P) => Holder;
  /** For calls that anyone can repeat at will. Inside a host's transaction, which may be rolled back, each is run. */
  repeats?: Repeats<A, I, P, O>;
  /**
   * Whether `prepare` itself changes what `run` completes, as of a deletion in pieces: then equal calls at once wait for
   * each other before it, as they do before `run` otherwise.
   */
  preparesInTurn?: boolean;
  /** Runs before the transaction, on valid input; its result is passed to `run`. */
  prepare?: (context: ReadContext<A>, input: z.output<I>) => Promise<P>;
  /** Does the work inside the transaction and returns the result. */
  run: (context: WriteContext<A>, input: z.output<I>, prepared: P) => Promise<O>;
}

/** Any use case, as `execute` runs it. */
export type AnyUseCase = UseCase<Access, z.ZodType, unknown, unknown>;

/** Declares a use case. Throws a `TypeError` if its input is no schema of zod 4. */
export function useCase<const A extends Access, I extends z.ZodType, O, P = undefined>(
  declaration: UseCase<A, I, P, O>,
): UseCase<A, I, P, O> {
  assertSchema("useCase's input", declaration.input);
  return declaration;
}

/** The input of the use case. */
export type InputOf<U> = U extends { input: infer I extends z.ZodType } ? z.input<I> : never;
/** The result of the use case. */
export type OutputOf<U> = U extends { run: (...args: never[]) => Promise<infer O> }
  ? Exclude<O, ServiceError>
  : never;
