import type { z } from "zod";
import type { Caller, Client, WorkspaceScope } from "./caller.ts";
import { ServiceError } from "./errors.ts";
import { createEvent, createOutbox, type Outbox, writeOutbox } from "./outbox.ts";
import { parseInput } from "./parse-input.ts";
import { type Access, allows, isPermission } from "./permissions.ts";
import type { JoinedRepositories, Repositories, Role } from "./ports/storage.ts";
import type { Runtime } from "./runtime.ts";
import { createJoinedSending } from "./sending/sending.ts";
import type { InputOf, OutputOf, ReadContext, UseCase, WriteContext } from "./use-case.ts";

/** Who calls, from where, and on which workspace. */
export interface Call {
  caller: Caller;
  client: Client;
  workspaceId: number | undefined;
  /** The host's own open transaction, which the host ends (see `Storage.within`). */
  transaction?: unknown;
}

type Declared = UseCase<Access, z.ZodType, unknown, unknown>;

/** The one road in: authorise → validate → prepare → run → record → commit. */
export async function execute<U extends { access: Access; input: z.ZodType }>(
  runtime: Runtime,
  useCase: U,
  input: InputOf<U>,
  call: Call,
): Promise<OutputOf<U>> {
  const declared = useCase as unknown as Declared;
  const joined = call.transaction === undefined ? undefined : runtime.storage.within(call.transaction);
  const storage = joined ?? runtime.storage;
  const workspace = await authorise(declared, call, storage.members.roleOf);
  // Of anyone else, the membership has told that there is such a workspace.
  if (isPermission(declared.access) && call.caller.kind === "operator")
    await assertWorkspace(storage, call.workspaceId);
  const valid = parseInput(declared.input, input);
  const base = {
    storage,
    caller: call.caller,
    workspace,
    client: call.client,
    now: runtime.now(),
    config: runtime.config,
    runtime,
    sending: joined === undefined ? runtime.sending : createJoinedSending(joined, runtime),
  } as ReadContext;
  const prepared = await declared.prepare?.(base, valid);
  const outcome = declared.reads
    ? await declared.run(base as WriteContext, valid, prepared)
    : await change(runtime, declared, { base, valid, prepared, call, joined });
  if (outcome instanceof ServiceError) throw outcome;
  return outcome as OutputOf<U>;
}

interface Prepared {
  base: ReadContext;
  valid: unknown;
  prepared: unknown;
  call: Call;
  /** Inside the host's transaction. */
  joined: JoinedRepositories | undefined;
}

async function change(
  runtime: Runtime,
  useCase: Declared,
  { base, valid, prepared, call, joined }: Prepared,
): Promise<unknown> {
  const work = async (storage: Repositories) => {
    if (useCase.locksWorkspace) await lockWorkspace(storage, call.workspaceId);
    // The role may have changed since it was first looked at; from here on it can't.
    const workspace = await authorise(useCase, call, storage.members.lockRole);
    if (useCase.access === "administrator") await assertStillAdministrator(storage, call.caller);
    const outbox = createOutbox();
    const context = { ...base, storage, workspace, ...writing(base, call, outbox) } as WriteContext;
    const outcome = await useCase.run(context, valid, prepared);
    const topics = await writeOutbox(runtime, storage, outbox);
    return { outcome, outbox, topics };
  };
  const done = joined === undefined ? await runtime.storage.transaction(work) : await work(joined);
  // What the host may yet roll back is not told; whoever follows the events sees it once it is committed.
  if (joined === undefined) runtime.tell(done.outbox.events);
  if (done.topics.length > 0) await (joined ?? runtime.storage).notify(done.topics);
  return done.outcome;
}

async function assertWorkspace(storage: Repositories, id: number | undefined): Promise<void> {
  if (id === undefined || (await storage.workspaces.find(id)) === undefined)
    throw new ServiceError("not_found", { message: "There is no such workspace." });
}

async function lockWorkspace(storage: Repositories, id: number | undefined): Promise<void> {
  if (id === undefined || (await storage.workspaces.lock(id)) === undefined)
    throw new ServiceError("not_found", { message: "There is no such workspace." });
}

function writing(
  base: ReadContext,
  call: Call,
  outbox: Outbox,
): Pick<WriteContext, "emit" | "mail" | "wake"> {
  const origin = {
    caller: call.caller,
    workspaceId: base.workspace?.id,
    clientIp: call.client.ip,
    now: base.now,
  };
  return {
    emit: (type, emission = {}) => void outbox.events.push(createEvent(type, emission, origin)),
    mail: (mail) => void outbox.mails.push(mail),
    wake: (topic) => void outbox.topics.push(topic),
  };
}

/** Checks that the caller may; the workspace the call acts on. */
async function authorise(
  { access, insteadForHost }: Pick<Declared, "access" | "insteadForHost">,
  { caller, workspaceId }: Call,
  findRole: (workspaceId: number, userId: number) => Promise<Role | undefined>,
): Promise<WorkspaceScope | undefined> {
  if (access === "anonymous") return undefined;
  if (caller.kind === "anonymous") throw new ServiceError("unauthenticated");
  if (access === "api_key") return scopeOfKey(caller, workspaceId);
  if (caller.kind === "api_key") throw new ServiceError("unauthenticated");
  if (access === "administrator") {
    if (caller.kind === "user" && !caller.isAdmin) throw new ServiceError("administrator_required");
    return undefined;
  }
  if (access === "user") {
    if (caller.kind === "operator") {
      const instead = insteadForHost === undefined ? "" : `, or call ${insteadForHost}`;
      throw new ServiceError("unauthenticated", {
        message: `This call needs a user: pass \`as: await posthorn.findUser(id)\`${instead}.`,
      });
    }
    return undefined;
  }
  if (workspaceId === undefined) throw workspaceRequired(caller);
  if (caller.kind === "operator") return { id: workspaceId, role: undefined };
  const role = await findRole(workspaceId, caller.userId);
  if (role === undefined) throw new ServiceError("not_a_member");
  if (isPermission(access) && !allows(role, access)) throw new ServiceError("forbidden");
  return { id: workspaceId, role };
}

/** The login was looked up before: a demotion that commits first wins. */
async function assertStillAdministrator(storage: Repositories, caller: Caller): Promise<void> {
  if (caller.kind === "user" && !(await storage.users.lockAdministrator(caller.userId)))
    throw new ServiceError("administrator_required");
}

function scopeOfKey(caller: Caller, workspaceId: number | undefined): WorkspaceScope {
  if (caller.kind === "api_key") return { id: caller.workspaceId, role: undefined };
  if (caller.kind !== "operator") throw new ServiceError("unauthenticated");
  if (workspaceId === undefined) throw workspaceRequired(caller);
  return { id: workspaceId, role: undefined };
}

/** The host knows of no headers. */
const workspaceRequired = ({ kind }: Caller): ServiceError =>
  new ServiceError(
    "workspace_required",
    kind === "operator" ? { message: "This call needs a workspace: pass `workspaceId`." } : {},
  );
