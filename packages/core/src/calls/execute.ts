import type { z } from "zod";
import { ServiceError } from "../errors.ts";
import { clientNetwork } from "../identity/rules/client-network.ts";
import type { Acceptance } from "../mail/acceptance/acceptance.ts";
import { createJoinedAcceptance } from "../mail/acceptance/create-acceptance.ts";
import { addEmailEvents } from "../mail/email-events.ts";
import type { EmailEvent } from "../mail/notifications.ts";
import { type Access, isPermission } from "../permissions.ts";
import type { HostTransaction, JoinedRepositories, Repositories } from "../ports/storage.ts";
import type { Holder } from "../ports/turns.ts";
import type { Runtime } from "../service/runtime.ts";
import { assertCall } from "./assert-call.ts";
import { assertSession } from "./assert-session.ts";
import { actsOnWorkspace, authorise } from "./authorise.ts";
import type { Caller, ClientInfo } from "./caller.ts";
import { changeAndNotify, changeWithin } from "./change-and-notify.ts";
import type { Outbox } from "./change-piece.ts";
import { confirmCaller } from "./confirm-caller.ts";
import { equalCallKey } from "./equal-call-key.ts";
import { addNotifications, createEvent } from "./outbox.ts";
import { ownPieces, type PiecesOf } from "./own-pieces.ts";
import { parseInput } from "./parse-input.ts";
import { reportUndeclared } from "./refusals.ts";
import type { InputOf, OutputOf, ReadContext, UseCase, WriteContext } from "./use-case.ts";

/** The caller, the origin of the request, and the workspace. */
export interface Call {
  /** The caller, by verified credentials. */
  caller: Caller;
  /** The origin of the request, for guards, logs and events. */
  client: ClientInfo;
  /** The workspace's number, or `all` for an administrator's call across workspaces. */
  workspaceId: number | "all" | undefined;
  /**
   * Size in bytes of the JSON that the input was parsed from, without numbers that a double can't hold. It saves
   * checking that the input can be stored as JSON.
   */
  jsonBytes?: number | undefined;
  /** Whether nobody waits for the answer any more: asked between the pieces of long calls that only answer. */
  hasLeft?: (() => boolean) | undefined;
  /** The host's own open transaction, which the host ends (see `Storage.within`). */
  transaction?: unknown;
}

type Declared = UseCase<Access, z.ZodType, unknown, unknown>;

/** The single entry point of calls: authorise → validate → prepare → run → record → commit. */
export async function execute<U extends { access: Access; input: z.ZodType }>(
  runtime: Runtime,
  useCase: U,
  input: InputOf<U>,
  asked: Call,
): Promise<OutputOf<U>> {
  const declared = useCase as unknown as Declared;
  if (declared?.input === undefined)
    throw new TypeError("execute takes a use case, made by the function useCase");
  assertCall(asked);
  if (!declared.confirmsCaller) await confirmCaller(asked);
  const placed = place(runtime, declared, asked);
  const call = placed instanceof Promise ? await placed : placed;
  try {
    const host = call.transaction === undefined ? undefined : runtime.storage.within(call.transaction);
    const assured = runtime.queueClock.assure(host);
    if (assured !== undefined) await assured;
    const outcome =
      host === undefined
        ? await executeAlone(runtime, declared, input, call)
        : await executeWithin(host, runtime, declared, input, call);
    if (outcome instanceof ServiceError) throw outcome;
    return outcome as OutputOf<U>;
  } catch (error) {
    // A caller without permission learns only that, whatever else is wrong.
    await confirmCaller(asked);
    if (error instanceof ServiceError) reportUndeclared(runtime.logger, declared, error);
    throw error;
  }
}

/** Fills in the only workspace if the call needs one and names none. */
function place({ onlyWorkspace }: Runtime, { access }: Declared, call: Call): Call | Promise<Call> {
  if (onlyWorkspace === undefined || call.workspaceId !== undefined || !actsOnWorkspace(access)) return call;
  return onlyWorkspace.id(call.transaction).then((workspaceId) => ({ ...call, workspaceId }));
}

/** Executes the call in the service's own transactions. */
async function executeAlone(runtime: Runtime, useCase: Declared, input: unknown, call: Call) {
  const { storage } = runtime;
  const { acceptance } = runtime;
  const piecesOf = ownPieces(runtime, useCase, call);
  const entering = { runtime, useCase, call, storage, acceptance, piecesOf };
  const ready = await enter(entering, input);
  const { reads, repeats, answersFirst, preparesInTurn } = useCase;
  const prepare = async () => useCase.prepare && (await useCase.prepare(ready.base, ready.valid));
  let prepared = preparesInTurn ? undefined : await prepare();
  const commit = async () => {
    if (preparesInTurn) prepared = await prepare();
    if (reads) return useCase.run(ready.base as WriteContext, ready.valid, prepared);
    const changing = { ...ready, prepared, call };
    const work = (within: Repositories, outbox: Outbox) => change(runtime, useCase, within, outbox, changing);
    return changeAndNotify(runtime, work, holderOf(useCase, changing));
  };
  if (answersFirst !== undefined) {
    runtime.backgroundWork.add(commit);
    return answersFirst;
  }
  if (repeats === undefined) {
    const key = reads ? undefined : equalCallKey(call, ready.valid);
    return await (key === undefined ? commit() : runtime.sharedCalls.inTurn(useCase, key, commit));
  }
  return await runtime.sharedCalls.run(
    useCase,
    repeats.key(ready.base, ready.valid, prepared),
    async () => (await repeats.find?.(ready.base, ready.valid, prepared)) ?? (await commit()),
  );
}

/** Whom a change is for, so that nobody's changes, the operator's included, delay others' or sends. */
function holderOf({ holder }: Declared, { base, valid, prepared }: Ready & { prepared: unknown }): Holder {
  const { workspace, caller, client } = base;
  if (holder !== undefined) return holder(base, valid, prepared);
  if (workspace !== undefined) return workspace.id;
  if (caller.kind === "user") return `user ${caller.userId}`;
  return caller.kind === "operator" ? "operator" : `client ${clientNetwork(client.ip)}`;
}

/**
 * Executes the call in a host's transaction: a refusal leaves no changes, and the host may continue. Only counters of
 * failed attempts that `prepare` wrote remain, provided that the host commits.
 */
async function executeWithin(
  host: HostTransaction,
  runtime: Runtime,
  useCase: Declared,
  input: unknown,
  call: Call,
): Promise<unknown> {
  const begin = (storage: JoinedRepositories) => {
    const acceptance = createJoinedAcceptance(storage, runtime);
    // Nothing waits for turns here: whoever has one may wait for this very transaction.
    const piecesOf: PiecesOf = () => ({
      changePiece: (work) => changeWithin(runtime, storage, work),
      piece: (work) => work(),
      pause: () => undefined,
      yieldThread: () => undefined,
      reclaim: async () => 0,
    });
    return enter({ runtime, useCase, call, storage, acceptance, piecesOf }, input);
  };
  const prepared =
    useCase.prepare && (await host.savepoint((storage) => prepareWithin(useCase, () => begin(storage))));
  if (prepared instanceof ServiceError) return prepared;
  const run = async (storage: JoinedRepositories) => {
    const ready = await begin(storage);
    if (useCase.reads) return useCase.run(ready.base as WriteContext, ready.valid, prepared?.value);
    const changing = { ...ready, prepared: prepared?.value, call };
    return changeWithin(runtime, storage, (within, outbox) =>
      change(runtime, useCase, within, outbox, changing),
    );
  };
  return useCase.readsOn ? run(host) : host.savepoint(run);
}

async function prepareWithin(
  useCase: Declared,
  begin: () => Promise<Ready>,
): Promise<{ value: unknown } | ServiceError> {
  const { base, valid } = await begin();
  try {
    return { value: await useCase.prepare?.(base, valid) };
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

interface Ready {
  base: ReadContext;
  valid: unknown;
}

interface Entering {
  runtime: Runtime;
  useCase: Declared;
  call: Call;
  storage: Repositories;
  acceptance: Acceptance;
  piecesOf: PiecesOf;
}

/** Authorises the caller and validates the input. Returns the use case's context. */
async function enter(
  { runtime, useCase, call, storage, acceptance, piecesOf }: Entering,
  input: unknown,
): Promise<Ready> {
  const entered = authorise(useCase, call, storage.members.roleOf);
  const { way, workspace } = entered instanceof Promise ? await entered : entered;
  // For other callers, their membership has proved that the workspace exists.
  if (workspace !== undefined && isPermission(way) && call.caller.kind === "operator")
    assertStanding((await storage.workspaces.find(workspace.id)) !== undefined);
  const { caller, client, jsonBytes } = call;
  const { config } = runtime;
  const base = {
    storage,
    caller,
    workspace,
    client,
    now: runtime.now(),
    config,
    runtime,
    acceptance,
    ...piecesOf(workspace?.id),
  } as ReadContext;
  return { base, valid: parseInput(useCase.input, input, { jsonBytes }) };
}

/** Runs a change in the given transaction. Its events go to the outbox. */
async function change(
  runtime: Runtime,
  useCase: Declared,
  storage: Repositories,
  outbox: Outbox,
  { base, valid, prepared, call }: Ready & { prepared: unknown; call: Call },
): Promise<unknown> {
  if (useCase.locksWorkspace) await lockWorkspace(storage, base.workspace?.id);
  const locked = useCase.locks?.(valid) ?? {};
  // `run` reports a missing workspace.
  if (locked.workspaceId !== undefined) await storage.workspaces.lock(locked.workspaceId);
  // The role may have changed since the first look-up; from here on its row is locked.
  const { way, workspace } = await authorise(useCase, call, storage.members.lockRole);
  // What anybody may do, and what a user does to their own account, either ends sessions itself or needs none.
  if (way === "administrator" || isPermission(way)) await assertSession(storage, call.caller);
  if (way === "administrator") await lockAdministrator(storage, call.caller, locked.userId);
  else if (workspace !== undefined && !useCase.locksWorkspace && !hasMembership(call.caller))
    assertStanding(await storage.workspaces.hold(workspace.id));
  const happened: EmailEvent[] = [];
  const context = { ...base, storage, workspace, ...writing(base, call, outbox, happened) } as WriteContext;
  const outcome = await useCase.run(context, valid, prepared);
  const origin = { caller: call.caller, clientIp: call.client.ip };
  await addEmailEvents(runtime, storage, outbox, happened, origin);
  return outcome;
}

/**
 * Whether the caller has the role by a row as a member, which is locked: the workspace is not deleted meanwhile. Of others,
 * it is held itself.
 */
const hasMembership = (caller: Caller): boolean => caller.kind === "user" && caller.host?.role === undefined;

function assertStanding(isThere: boolean): void {
  if (!isThere) throw new ServiceError("not_found", { message: "There is no such workspace." });
}

async function lockWorkspace(storage: Repositories, id: number | undefined): Promise<void> {
  assertStanding(id !== undefined && (await storage.workspaces.lock(id)) !== undefined);
}

function writing(
  base: ReadContext,
  call: Call,
  outbox: Outbox,
  happened: EmailEvent[],
): Pick<WriteContext, "emit" | "emitEmailEvent" | "record" | "mail" | "wake"> {
  const origin = {
    caller: call.caller,
    workspaceId: base.workspace?.id,
    clientIp: call.client.ip,
    now: base.now,
  };
  return {
    emit: (type, emission = {}) => void outbox.events.push(createEvent(type, emission, origin)),
    emitEmailEvent: (emailEvent) => void happened.push(emailEvent),
    record: (notifications) => addNotifications(outbox, notifications),
    mail: (mail) => void outbox.mails.push(mail),
    wake: (topic) => void outbox.topics.push(topic),
  };
}

/**
 * The login was checked before the lock, so a demotion that commits first takes precedence. `changedId` is the user
 * whom `run` locks.
 */
async function lockAdministrator(
  { users }: Repositories,
  caller: Caller,
  changedId: number | undefined,
): Promise<void> {
  if (caller.kind !== "user") return;
  if (changedId !== undefined && changedId <= caller.userId) await users.lock(changedId);
  if (!(await users.lockAdministrator(caller.userId))) throw new ServiceError("administrator_required");
}
