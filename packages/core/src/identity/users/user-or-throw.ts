import { ServiceError } from "../../errors.ts";
import type { User } from "../../ports/storage.ts";

/** The user that a read found, or `not_found`. */
export async function userOrThrow(found: Promise<User | undefined>, id: number): Promise<User> {
  const user = await found;
  if (user === undefined) throw new ServiceError("not_found", { message: `There is no user ${id}.` });
  return user;
}
