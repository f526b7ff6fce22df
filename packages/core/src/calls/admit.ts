import { z } from "zod";
import { ServiceError } from "../errors.ts";
import { ensureUser } from "../identity/users/ensure-user.ts";
import type { Role, User } from "../ports/storage.ts";
import type { Runtime } from "../service/runtime.ts";
import { callerOf } from "./authenticate.ts";
import type { UserCaller } from "./caller.ts";
import { execute } from "./execute.ts";
import { externalId } from "./external-id.ts";

/** Who it is that the host's own login let in. */
export interface HostLogin {
  /** The host's own id of the user. */
  externalId: string;
  /** With it, a user that is not there yet is made, and name and address follow the host's, as by `users.ensure`. Costs a write only then. */
  profile?: { name: string; email: string };
  /** The workspace that the login is for, by number or by the host's own id: of requests that name none. Default: the only one, if any. */
  workspace?: number | { externalId: string };
  /** The person's role in that workspace, whatever the members' list says. Default: the list's. */
  role?: Role;
}

/** A login of the host's, as the service knows it. */
export interface Admitted {
  /** The person, as a caller for `as`. */
  caller: UserCaller;
  /** Where a call acts that names no workspace. */
  workspaceId: number | undefined;
}

const login = z.strictObject({
  externalId,
  profile: z.strictObject({ name: z.string(), email: z.string() }).optional(),
  workspace: z.union([z.int().positive(), z.strictObject({ externalId })]).optional(),
  role: z.enum(["owner", "admin", "editor", "viewer"]).optional(),
}) satisfies z.ZodType<HostLogin | { profile?: unknown }>;

/**
 * Takes the host's word for who calls. `undefined` where no user has the external id. Throws `not_found` for a workspace that is not there,
 * `email_taken` where the profile's address is another account's, and a `TypeError` for what is no login at all.
 */
export async function admit(runtime: Runtime, given: HostLogin): Promise<Admitted | undefined> {
  const { data, error } = login.safeParse(given);
  if (error !== undefined) throw new TypeError(`a login of the host's is wrong: ${z.prettifyError(error)}`);
  const user = await findUser(runtime, data.externalId, data.profile);
  if (user === undefined) return undefined;
  const workspaceId = await findWorkspace(runtime, data.workspace);
  const { role } = data;
  if (role !== undefined && workspaceId === undefined)
    throw new TypeError("a login of the host's has a role and no workspace: say in which");
  return { caller: { ...callerOf(user, undefined), host: { workspaceId, role } }, workspaceId };
}

async function findUser(
  runtime: Runtime,
  id: string,
  profile: { name: string; email: string } | undefined,
): Promise<User | undefined> {
  const { users } = runtime.storage;
  const user = await users.findByExternalId(id);
  if (profile === undefined) return user;
  if (user?.name === profile.name && user.email === profile.email) return user;
  await ensure(runtime, { externalId: id, ...profile });
  return await users.findByExternalId(id);
}

async function ensure(runtime: Runtime, given: { externalId: string; name: string; email: string }) {
  try {
    await execute(runtime, ensureUser, given, {
      caller: { kind: "operator", name: "host" },
      client: { ip: "", userAgent: "" },
      workspaceId: undefined,
    });
  } catch (error) {
    // The caller can't mend what the host says of a person.
    if (error instanceof ServiceError && error.code === "validation_failed")
      throw new TypeError(`a login of the host's has a wrong profile: ${error.message}`, { cause: error });
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
