import { z } from "zod";
import { type ReadContext, useCase, type WriteContext } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { assertVerified } from "./assert-verified.ts";
import { userId } from "./user-fields.ts";
import { userOrThrow } from "./user-or-throw.ts";
import { type UserView, viewUser } from "./user-view.ts";

const input = z.strictObject({ userId });

/**
 * Makes a user an administrator, whose address must be verified. Only the operator can make the first one, since only
 * administrators may do this (decisions §2).
 */
export const promoteUser = useCase({
  access: "administrator",
  refusals: ["email_not_verified"],
  input,
  locks: ({ userId }) => ({ userId }),
  run: (context, { userId: id }): Promise<UserView> => setAdministrator(context, id, true),
});

/**
 * Removes a user's administrator rights, from the next request on. Administrators can't demote themselves. The operator
 * may demote the last administrator.
 */
export const demoteUser = useCase({
  access: "administrator",
  refusals: ["forbidden"],
  input,
  locks: ({ userId }) => ({ userId }),
  async run(context, { userId: id }): Promise<UserView> {
    if (context.caller.kind === "user" && context.caller.userId === id)
      throw new ServiceError("forbidden", { message: "Nobody may remove their own administrator rights." });
    return await setAdministrator(context, id, false);
  },
});

async function setAdministrator(
  { storage, emit }: Pick<ReadContext, "storage"> & Pick<WriteContext, "emit">,
  id: number,
  isAdmin: boolean,
): Promise<UserView> {
  const before = await userOrThrow(storage.users.lock(id), id);
  if (before.isAdmin === isAdmin) return viewUser(before);
  if (isAdmin) assertVerified(before);
  const user = await userOrThrow(storage.users.update(id, { isAdmin }), id);
  // The event belongs to the user's log, even if another person is the actor.
  emit(isAdmin ? "user.promoted" : "user.demoted", { userId: id });
  return viewUser(user);
}
