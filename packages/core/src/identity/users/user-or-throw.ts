import { ServiceError } from "../../errors.ts";
import type { User } from "../../ports/storage.ts";

/** The hash of a user's password. Throws `password_not_set` for whom the host lets in. */
export function passwordHashOf({ passwordHash }: Pick<User, "passwordHash">): string {
  if (passwordHash === undefined) throw new ServiceError("password_not_set");
  return passwordHash;
}

/** The user that a read found, or `not_found`. */
export async function userOrThrow(found: Promise<User | undefined>, id: number): Promise<User> {
  const user = await found;
  if (user === undefined) throw new ServiceError("not_found", { message: `There is no user ${id}.` });
  return user;
}
