import type { z } from "zod";
import type { ErrorCode, ServiceError } from "../errors.ts";
import type { EventMetadata, EventType } from "../events.ts";
import type { Sending } from "../mail/submission/sending-facility.ts";
import type { SystemMail } from "../mail/system-mails.ts";
import type { EmailHappening, Tidings } from "../mail/tidings.ts";
import type { Access, Permission, Way, WaysOf } from "../permissions.ts";
import type { Repositories, Storage, Topic } from "../ports/storage.ts";
import type { Config } from "../service/options.ts";
import type { Facilities } from "../service/runtime.ts";
import type { Caller, ClientInfo, UserCaller, WorkspaceScope } from "./caller.ts";
import type { ChangePiece } from "./change-piece.ts";

type CallerFor<W extends Way> = W extends "user"
  ? UserCaller
  : W extends "api_key"
    ? Extract<Caller, { kind: "api_key" | "operator" }>
    : Caller;

type WorkspaceFor<W extends Way> = W extends Permission | "api_key" ? WorkspaceScope : undefined;

/** What a use case may see. */
export interface ReadContext<A extends Access = Access> {
  /** The repositories inside the call's transaction; in `prepare`, outside of any. */
  storage: Repositories;
  /** Who calls; of a kind that `access` lets in. */
  caller: CallerFor<WaysOf<A>>;
  /** The workspace the call acts on: there for whoever came by a permission or a key, and for nobody who came as administrator to all. */
  workspace: WorkspaceFor<WaysOf<A>>;
  /** Where the request came from. */
  client: ClientInfo;
  /** ms since the epoch, the same throughout the call. */
  now: number;
  /** The service's options with every default filled in. */
  config: Config;
  /** Secrets, hashing, ids, inlining: everything with a cost or a key. Its storage is not among them. */
  runtime: Facilities;
  /** Accepting e-mails: on the service's own transactions, or inside the host's. */
  sending: Sending;
  /** For long work, in `prepare` or where the use case `reads`: see `ChangePiece`. */
  changePiece: ChangePiece;
  /** Gives room that removed rows have left back to the disk; nothing inside a host's transaction, which leaves none before its commit. */
  reclaim: Storage["reclaim"];
}

/** What happened, told once it is committed. */
export interface Emission<M = Record<string, unknown>> {
  /** Keys as `eventKinds` lists them. */
  metadata?: M;
  /** Default: the call's workspace, except for personal events. */
  workspaceId?: number;
  /** Whose personal log; default for personal events: the caller. */
  userId?: number;
  /** Default: the caller. */
  actor?: { id: number | undefined; name: string };
}

/** What a use case that changes something may do besides. */
export interface WriteContext<A extends Access = Access> extends ReadContext<A> {
  /** Records that something happened: audit, in-process listeners, stream. Written in the same transaction. */
  emit<T extends EventType>(type: T, emission?: Emission<EventMetadata<T>>): void;
  /** Records what happened to an e-mail: as `emit` does, and for the webhooks that want to know. */
  happen(happening: EmailHappening): void;
  /** Writes rows that tell of something, made by whoever changed it. */
  record(tidings: Tidings): void;
  /** Asks for one of the service's own mails. Queued in the same transaction. */
  mail(mail: SystemMail): void;
  /** Says that rows which `run` itself inserted are news to a worker. Told once committed. */
  wake(topic: Topic): void;
}

/**
 * One thing the service can do. `prepare` runs before the transaction: for what is slow (hashing, inlining) or must be committed
 * whatever comes of the call (guards). `run` runs inside it and waits for nothing but the storage. Throw a `ServiceError` to roll back
 * and refuse; return one to commit and refuse.
 */
export interface UseCase<A extends Access, I extends z.ZodType, P, O> {
  /** Who may: one way in, or several. By `administrator` among others, the call is on all workspaces, and says so: `workspaceId: "all"`. */
  access: A;
  /** The codes of its own that it refuses with, besides those of every call like it (`refusalsOf`). */
  refusals?: readonly ErrorCode[];
  /** What the call takes: a `z.strictObject` whose fields are `.describe`d. */
  input: I;
  /** Where only a user may call: what does the same for the host, by aggregate and verb. */
  insteadForHost?: string;
  /** Whether it needs no transaction of its own: it only reads, or has e-mails accepted, which are committed together. */
  reads?: boolean;
  /** Whether it begins to read while the caller is still looked up, and waits for that itself, before it writes or answers (`confirmCaller`). */
  confirmsCaller?: boolean;
  /**
   * Whether its answer reads on after the call, as a file's content does: a reading one, which inside a host's transaction has no
   * savepoint of its own, so that the answer can be read until the host ends it.
   */
  readsOn?: boolean;
  /**
   * Whether no other such call may run on the workspace until this one ends: for what changes roles or counts by the workspace. The
   * lock is taken before the caller's role is, in one order for all, so that two calls don't wait for each other.
   */
  locksWorkspace?: boolean;
  /**
   * For administrators: the workspace or the user whose row `run` locks. The workspace is locked before the caller is, and of two users
   * the one with the lower number, so that administrators who change each other don't wait for each other.
   */
  locks?: (input: z.output<I>) => { workspaceId?: number; userId?: number };
  /**
   * The answer is given at once, and `run` does its work in a transaction afterwards: for calls of which neither the answer nor its time
   * may tell what was found. A crash in between loses the work, so that it must be something that can be asked for again. In a host's
   * transaction the work is done inside it.
   */
  answersFirst?: O;
  /** Runs before the transaction, on input that is valid; what it answers goes to `run`. */
  prepare?: (context: ReadContext<A>, input: z.output<I>) => Promise<P>;
  /** Does the work inside the transaction, and answers the call. */
  run: (context: WriteContext<A>, input: z.output<I>, prepared: P) => Promise<O>;
}

/** Declares a use case. */
export function useCase<const A extends Access, I extends z.ZodType, O, P = undefined>(
  declaration: UseCase<A, I, P, O>,
): UseCase<A, I, P, O> {
  return declaration;
}

/** What a call of the use case takes. */
export type InputOf<U> = U extends { input: infer I extends z.ZodType } ? z.input<I> : never;
/** What a call of the use case answers. */
export type OutputOf<U> = U extends { run: (...args: never[]) => Promise<infer O> }
  ? Exclude<O, ServiceError>
  : never;
