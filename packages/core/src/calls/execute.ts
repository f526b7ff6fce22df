import type { z } from "zod";
import { ServiceError } from "../errors.ts";
import { clientNetwork } from "../identity/rules/client-network.ts";
import type { Acceptance } from "../mail/acceptance/acceptance.ts";
import { createJoinedAcceptance } from "../mail/acceptance/create-acceptance.ts";
import { type Access, isPermission } from "../permissions.ts";
import type { HostTransaction, JoinedRepositories, Repositories } from "../ports/storage.ts";
import type { Holder } from "../ports/turns.ts";
import type { Runtime } from "../service/runtime.ts";
import { assertCall } from "./assert-call.ts";
import { actsOnWorkspace, authorise } from "./authorise.ts";
import type { Call } from "./call.ts";
import { changeAndNotify, changeWithin } from "./change-and-notify.ts";
import type { Outbox } from "./change-piece.ts";
import { confirmCaller } from "./confirm-caller.ts";
import { equalCallKey } from "./equal-call-key.ts";
import { parseInput } from "./input/parse-input.ts";
import { ownPieces, type PiecesOf } from "./own-pieces.ts";
import { reportUndeclared } from "./refusals.ts";
import { assertStanding, type Ready, runChange } from "./run-change.ts";
import type { AnyUseCase, InputOf, OutputOf, ReadContext, WriteContext } from "./use-case.ts";

/** The single entry point of calls: authorise → validate → prepare → run → record → commit. */
export async function execute<U extends { access: Access; input: z.ZodType }>(
  runtime: Runtime,
  useCase: U,
  input: InputOf<U>,
  asked: Call,
): Promise<OutputOf<U>> {
  const declared = useCase as unknown as AnyUseCase;
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
    const asking = { runtime, useCase: declared, input, call };
    const outcome = host === undefined ? await executeAlone(asking) : await executeWithin(host, asking);
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
function place({ onlyWorkspace }: Runtime, { access }: AnyUseCase, call: Call): Call | Promise<Call> {
  if (onlyWorkspace === undefined || call.workspaceId !== undefined || !actsOnWorkspace(access)) return call;
  return onlyWorkspace.id(call.transaction).then((workspaceId) => ({ ...call, workspaceId }));
}

type Asking = Pick<Ready, "runtime" | "useCase" | "call"> & { input: unknown };

/** Executes the call in the service's own transactions. */
async function executeAlone(asking: Asking): Promise<unknown> {
  const { runtime, useCase, call } = asking;
  const ready = await enter(asking, {
    storage: runtime.storage,
    acceptance: runtime.acceptance,
    piecesOf: ownPieces(runtime, useCase, call),
  });
  const { reads, repeats, answersFirst, preparesInTurn } = useCase;
  const prepare = async () => useCase.prepare && (await useCase.prepare(ready.base, ready.valid));
  let prepared = preparesInTurn ? undefined : await prepare();
  const commit = async () => {
    if (preparesInTurn) prepared = await prepare();
    if (reads) return useCase.run(ready.base as WriteContext, ready.valid, prepared);
    const change = { ...ready, prepared };
    const work = (within: Repositories, outbox: Outbox) => runChange(change, within, outbox);
    return changeAndNotify(runtime, work, holderOf(change));
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
function holderOf({ useCase, base, valid, prepared }: Ready & { prepared: unknown }): Holder {
  const { workspace, caller, client } = base;
  if (useCase.holder !== undefined) return useCase.holder(base, valid, prepared);
  if (workspace !== undefined) return workspace.id;
  if (caller.kind === "user") return `user ${caller.userId}`;
  return caller.kind === "operator" ? "operator" : `client ${clientNetwork(client.ip)}`;
}

/**
 * Executes the call in a host's transaction: a refusal leaves no changes, and the host may continue. Only counters of
 * failed attempts that `prepare` wrote remain, provided that the host commits.
 */
async function executeWithin(host: HostTransaction, asking: Asking): Promise<unknown> {
  const { runtime, useCase } = asking;
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
    return enter(asking, { storage, acceptance, piecesOf });
  };
  const prepared =
    useCase.prepare && (await host.savepoint(async (storage) => prepareWithin(await begin(storage))));
  if (prepared instanceof ServiceError) return prepared;
  const run = async (storage: JoinedRepositories) => {
    const ready = await begin(storage);
    if (useCase.reads) return useCase.run(ready.base as WriteContext, ready.valid, prepared?.value);
    const change = { ...ready, prepared: prepared?.value };
    return changeWithin(runtime, storage, (within, outbox) => runChange(change, within, outbox));
  };
  return useCase.readsOn ? run(host) : host.savepoint(run);
}

async function prepareWithin({ useCase, base, valid }: Ready): Promise<{ value: unknown } | ServiceError> {
  try {
    return { value: await useCase.prepare?.(base, valid) };
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

/** What a call gets to work with: outside of transactions the service's own, else what is bound to the host's. */
interface Means {
  storage: Repositories;
  acceptance: Acceptance;
  piecesOf: PiecesOf;
}

/** Authorises the caller and validates the input. */
async function enter(asking: Asking, { storage, acceptance, piecesOf }: Means): Promise<Ready> {
  const { runtime, useCase, call, input } = asking;
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
  return { runtime, useCase, call, base, valid: parseInput(useCase.input, input, { jsonBytes }) };
}
