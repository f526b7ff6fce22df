import { z } from "zod";
import { type ReadContext, useCase, type WriteContext } from "../../calls/use-case.ts";
import { userId } from "./user-fields.ts";
import { userOrThrow } from "./user-or-throw.ts";
import { type UserView, viewUser } from "./user-view.ts";

const input = z.strictObject({ userId });

/** Makes a user an administrator: for the command line. */
export const promoteUser = useCase({
  access: "administrator",
  input,
  run: (context, { userId: id }): Promise<UserView> => setAdministrator(context, id, true),
});

/** Makes an administrator a user like any other: for the command line. */
export const demoteUser = useCase({
  access: "administrator",
  input,
  run: (context, { userId: id }): Promise<UserView> => setAdministrator(context, id, false),
});

async function setAdministrator(
  { storage, emit }: Pick<ReadContext, "storage"> & Pick<WriteContext, "emit">,
  id: number,
  isAdmin: boolean,
): Promise<UserView> {
  const before = await userOrThrow(storage.users.lock(id), id);
  if (before.isAdmin === isAdmin) return viewUser(before);
  const user = await userOrThrow(storage.users.update(id, { isAdmin }), id);
  // Of a personal event the actor may be another than the user; the words are the user's.
  emit(isAdmin ? "user.promoted" : "user.demoted", { userId: id });
  return viewUser(user);
}
