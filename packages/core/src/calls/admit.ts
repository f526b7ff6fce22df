import { z } from "zod";
import { ServiceError } from "../errors.ts";
import { emailAddress } from "../identity/email-address.ts";
import { ensureUser } from "../identity/users/ensure-user.ts";
import type { Role, User } from "../ports/storage.ts";
import type { Runtime } from "../service/runtime.ts";
import { callerOf } from "./authenticate.ts";
import type { UserCaller } from "./caller.ts";
import { execute } from "./execute.ts";
import { externalId } from "./external-id.ts";
import { personName } from "./input/name-field.ts";

/** A user whom the host's own login authenticated. */
export interface HostLogin {
  /** The host's own id for the user. */
  externalId: string;
  /**
   * If given, a missing user is created, and name and address are updated to the host's, as with `users.ensure`. It
   * writes only if something changed.
   */
  profile?: { name: string; email: string } | undefined;
  /**
   * The workspace for requests that name none, by number or by the host's own id. Default: the only one, if there is
   * one.
   */
  workspace?: number | { externalId: string } | undefined;
  /** The user's role in that workspace, overriding the role as a member. Default: the role as a member. */
  role?: Role | undefined;
}

/** A host's login, resolved by the service. */
export interface Admitted {
  /** The user, as a caller for `as`. */
  caller: UserCaller;
  /** The number of the workspace for calls that name none. */
  workspaceId: number | undefined;
}

const login = z.strictObject({
  externalId,
  profile: z.strictObject({ name: z.string(), email: z.string() }).optional(),
  workspace: z.union([z.int().positive(), z.strictObject({ externalId })]).optional(),
  role: z.enum(["owner", "admin", "editor", "viewer"]).optional(),
}) satisfies z.ZodType<HostLogin | { profile?: unknown }>;

/**
 * Trusts the host's authentication of a user. Returns `undefined` if no user has the external id. Throws `not_found`
 * for a missing workspace, `email_taken` if the profile's address belongs to another account, and a `TypeError` for an
 * invalid login.
 */
export async function admit(runtime: Runtime, given: HostLogin): Promise<Admitted | undefined> {
  const { data, error } = login.safeParse(given);
  if (error !== undefined) throw new TypeError(`the host's login is not valid: ${z.prettifyError(error)}`);
  const user = await findUser(runtime, data.externalId, data.profile);
  if (user === undefined) return undefined;
  const workspaceId = await findWorkspace(runtime, data.workspace);
  const { role } = data;
  if (role !== undefined && workspaceId === undefined)
    throw new TypeError("the host's login has a role but no workspace");
  return { caller: { ...callerOf(user, undefined), host: { workspaceId, role } }, workspaceId };
}

async function findUser(
  runtime: Runtime,
  id: string,
  profile: { name: string; email: string } | undefined,
): Promise<User | undefined> {
  const { users } = runtime.storage;
  const user = await users.findByExternalId(id);
  if (profile === undefined || (user !== undefined && isOf(user, profile))) return user;
  await ensure(runtime, { externalId: id, ...profile });
  return await users.findByExternalId(id);
}

const stored = z.object({ name: personName, email: emailAddress });

/** Whether the host's profile is that of the user. Directories may have blanks around a name, or another form of an accent. */
function isOf({ name, email }: User, profile: { name: string; email: string }): boolean {
  const isSame = (given: { name: string; email: string }) => given.name === name && given.email === email;
  return isSame(profile) || isSame(stored.safeParse(profile).data ?? profile);
}

async function ensure(runtime: Runtime, given: { externalId: string; name: string; email: string }) {
  try {
    await execute(runtime, ensureUser, given, {
      caller: { kind: "operator", name: "host" },
      client: { ip: "", userAgent: "" },
      workspaceId: undefined,
    });
  } catch (error) {
    // Thrown as a TypeError, since the end user can't correct what the host passes.
    if (error instanceof ServiceError && error.code === "validation_failed")
      throw new TypeError(`the host's login has an invalid profile: ${error.message}`, { cause: error });
    throw error;
  }
}

async function findWorkspace(
  { storage, onlyWorkspace }: Runtime,
  given: HostLogin["workspace"],
): Promise<number | undefined> {
  if (given === undefined) return await onlyWorkspace?.id();
  const found = await (typeof given === "number"
    ? storage.workspaces.find(given)
    : storage.workspaces.findByExternalId(given.externalId));
  if (found === undefined) throw new ServiceError("not_found", { message: "There is no such workspace." });
  return found.id;
}
