import type { Repositories, User } from "../../ports/storage.ts";
import { addressKey } from "../../rules/address-key.ts";

/**
 * Finds the user with an address, and locks the account until a link is mailed there: it must not get another address
 * meanwhile, whose owner alone may open it.
 */
export async function lockByEmail(
  { users }: Pick<Repositories, "users">,
  email: string,
): Promise<User | undefined> {
  const found = await users.findByEmail(email);
  const user = found && (await users.lock(found.id));
  return user !== undefined && addressKey(user.email) === addressKey(email) ? user : undefined;
}
