import { orNotFound } from "../../calls/or-not-found.ts";
import { ServiceError } from "../../errors.ts";
import type { User } from "../../ports/storage.ts";

/** Returns the hash of a user's password. Throws `password_not_set` for users that the host authenticates. */
export function passwordHashOf({ passwordHash }: Pick<User, "passwordHash">): string {
  if (passwordHash === undefined) throw new ServiceError("password_not_set");
  return passwordHash;
}

/** Returns the user that `found` resolves to. Throws `not_found` if there is none. */
export async function userOrThrow(found: Promise<User | undefined>, id: number): Promise<User> {
  return orNotFound(await found, `user ${id}`);
}
