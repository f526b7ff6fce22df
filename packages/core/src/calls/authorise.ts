import { ServiceError } from "../errors.ts";
import {
  type Access,
  allows,
  isOnWorkspace,
  isPermission,
  type Permission,
  type Way,
  waysOf,
} from "../permissions.ts";
import type { Role } from "../ports/storage.ts";
import type { Caller, UserCaller, WorkspaceScope } from "./caller.ts";

/** The caller and the workspace named by the call. */
interface Calling {
  caller: Caller;
  workspaceId: number | "all" | undefined;
}

/** The kind of access that the call was granted, and its workspace. */
interface Entered {
  way: Way;
  workspace: WorkspaceScope | undefined;
}

/** Whether a call may act on a workspace. If the service has only one workspace, such a call acts on that. */
export const actsOnWorkspace = (access: Access): boolean => waysOf(access).some(isOnWorkspace);

/** Checks that the caller may call the use case, at once if no role has to be read. Throws the refusal otherwise. */
export function authorise(
  { access, insteadForHost }: { access: Access; insteadForHost?: string },
  { caller, workspaceId }: Calling,
  findRole: (workspaceId: number, userId: number) => Promise<Role | undefined>,
): Entered | Promise<Entered> {
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
  const given = hostRoleIn(caller, workspaceId);
  if (given !== undefined) return enterAs(given, way, workspaceId);
  return findRole(workspaceId, caller.userId).then((role) => enterAs(role, way, workspaceId));
}

function enterAs(role: Role | undefined, way: Permission, id: number): Entered {
  if (role === undefined) throw new ServiceError("not_a_member");
  if (!allows(role, way)) throw new ServiceError("forbidden");
  return { way, workspace: { id, role } };
}

/**
 * Returns the caller's kind of access: a key's own, an administrator's if the call says `all`, else a role in a
 * workspace.
 */
function wayOf(ways: readonly Way[], { caller, workspaceId }: Calling): Way {
  const [first = "administrator", ...others] = ways;
  if (others.length === 0) return first;
  if (caller.kind === "api_key") return ways.includes("api_key") ? "api_key" : first;
  if (workspaceId === "all" && ways.includes("administrator")) return "administrator";
  return ways.find(isPermission) ?? first;
}

/** Returns the role that the host's login assigns in the workspace. It overrides the role as a member. */
function hostRoleIn({ host }: UserCaller, workspaceId: number): Role | undefined {
  return host?.workspaceId === workspaceId ? host.role : undefined;
}

/** Returns a key's own workspace; for the operator, the named one. Throws `unauthenticated` for users. */
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

/** Hosts have no headers, so the message names the option. */
const workspaceRequired = ({ kind }: Caller): ServiceError =>
  new ServiceError(
    "workspace_required",
    kind === "operator" ? { message: "This call needs a workspace: pass `workspaceId`." } : {},
  );
