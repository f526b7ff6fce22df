import { ServiceError } from "../errors.ts";
import { addEmailEvents } from "../mail/email-events.ts";
import type { EmailEvent } from "../mail/notifications.ts";
import { isPermission } from "../permissions.ts";
import type { Repositories } from "../ports/storage.ts";
import type { Runtime } from "../service/runtime.ts";
import { assertSession } from "./assert-session.ts";
import { authorise } from "./authorise.ts";
import type { Call } from "./call.ts";
import type { Caller } from "./caller.ts";
import type { Outbox } from "./change-piece.ts";
import { addNotifications, createEvent } from "./outbox.ts";
import type { AnyUseCase, ReadContext, WriteContext } from "./use-case.ts";

/** A call whose caller may make it, with its context and its valid input. */
export interface Ready {
  runtime: Runtime;
  useCase: AnyUseCase;
  call: Call;
  base: ReadContext;
  valid: unknown;
}

/**
 * Runs a use case in the transaction that is to hold its changes: locks what the caller's rights depend on, and checks
 * these again. Its events go to the outbox.
 */
export async function runChange(
  { runtime, useCase, call, base, valid, prepared }: Ready & { prepared: unknown },
  storage: Repositories,
  outbox: Outbox,
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

/** Throws `not_found` if the call's workspace is gone. */
export function assertStanding(isThere: boolean): void {
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
