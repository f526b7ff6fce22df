import { ServiceError } from "../errors.ts";
import { type Access, allows, isOnWorkspace, isPermission, type Way, waysOf } from "../permissions.ts";
import type { Role } from "../ports/storage/workspaces.ts";
import type { Caller, UserCaller, WorkspaceScope } from "./caller.ts";

/** Who calls, and where. */
interface Calling {
  caller: Caller;
  workspaceId: number | "all" | undefined;
}

/** By which of its ways a use case was entered, and the workspace that the call acts on. */
interface Entered {
  way: Way;
  workspace: WorkspaceScope | undefined;
}

/** Whether a call may act on a workspace: then it is on the only one, where there is only one. */
export const actsOnWorkspace = (access: Access): boolean => waysOf(access).some(isOnWorkspace);

/** Checks that the caller may. Throws what refuses it. */
export async function authorise(
  { access, insteadForHost }: { access: Access; insteadForHost?: string },
  { caller, workspaceId }: Calling,
  findRole: (workspaceId: number, userId: number) => Promise<Role | undefined>,
): Promise<Entered> {
  const way = wayOf(waysOf(access), { caller, workspaceId });
  if (way === "anonymous") return { way, workspace: undefined };
  if (caller.kind === "anonymous") throw new ServiceError("unauthenticated");
  if (way === "api_key") return { way, workspace: scopeOfKey(caller, workspaceId) };
  if (caller.kind === "api_key") throw new ServiceError("unauthenticated");
  if (way === "administrator") {
    if (caller.kind === "user" && !caller.isAdmin) throw new ServiceError("administrator_required");
    return { way, workspace: undefined };
  }
  if (way === "user") {
    if (caller.kind === "operator") throw userRequired(insteadForHost);
    return { way, workspace: undefined };
  }
  if (typeof workspaceId !== "number") throw workspaceRequired(caller);
  if (caller.kind === "operator") return { way, workspace: { id: workspaceId, role: undefined } };
  const role = hostRoleIn(caller, workspaceId) ?? (await findRole(workspaceId, caller.userId));
  if (role === undefined) throw new ServiceError("not_a_member");
  if (!allows(role, way)) throw new ServiceError("forbidden");
  return { way, workspace: { id: workspaceId, role } };
}

/** The way that is the caller's own: a key comes as a key, whoever says `all` as administrator, and anybody else by a role in a workspace. */
function wayOf(ways: readonly Way[], { caller, workspaceId }: Calling): Way {
  const [first = "administrator", ...others] = ways;
  if (others.length === 0) return first;
  if (caller.kind === "api_key") return ways.includes("api_key") ? "api_key" : first;
  if (workspaceId === "all" && ways.includes("administrator")) return "administrator";
  return ways.find(isPermission) ?? first;
}

/** The role that the host's login gives in the workspace; it goes before that of a member. */
function hostRoleIn({ host }: UserCaller, workspaceId: number): Role | undefined {
  return host?.workspaceId === workspaceId ? host.role : undefined;
}

/** A key acts on its own workspace, and on no other. */
function scopeOfKey(caller: Caller, workspaceId: Calling["workspaceId"]): WorkspaceScope {
  if (caller.kind === "api_key") return { id: caller.workspaceId, role: undefined };
  if (caller.kind !== "operator") throw new ServiceError("unauthenticated");
  if (typeof workspaceId !== "number") throw workspaceRequired(caller);
  return { id: workspaceId, role: undefined };
}

const userRequired = (insteadForHost: string | undefined): ServiceError =>
  new ServiceError("unauthenticated", {
    message: `This call needs a user: pass \`as: await posthorn.findUser(id)\`${insteadForHost === undefined ? "" : `, or call ${insteadForHost}`}.`,
  });

/** The host knows of no headers. */
const workspaceRequired = ({ kind }: Caller): ServiceError =>
  new ServiceError(
    "workspace_required",
    kind === "operator" ? { message: "This call needs a workspace: pass `workspaceId`." } : {},
  );
