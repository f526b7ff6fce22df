import { z } from "zod";
import type { Confirmation } from "../../calls/confirmation.ts";
import { useCase, type WriteContext } from "../../calls/use-case.ts";
import { fieldError, ServiceError } from "../../errors.ts";
import type { User } from "../../ports/storage.ts";
import { confirmPassword } from "./password-work.ts";
import { passwordText, userId } from "./user-fields.ts";
import { userOrThrow } from "./user-or-throw.ts";
import { mailboxOf } from "./user-view.ts";

/**
 * Deletes the caller's account; the password is the confirmation. Revokes its sessions and removes its memberships and
 * pending invitations. The logs keep the user's actions, with the name. Throws `owns_workspaces` if a workspace would
 * lose its last owner, `forbidden` for an administrator.
 */
export const deleteMe = useCase({
  access: "user",
  refusals: ["forbidden", "owns_workspaces", "password_not_set", "rate_limited"],
  input: z.strictObject({
    password: passwordText.describe("The caller's password, to confirm the deletion."),
  }),
  async prepare(context, { password }): Promise<string> {
    const { storage, caller } = context;
    const user = await userOrThrow(storage.users.find(caller.userId), caller.userId);
    return await confirmPassword(context, user, password, wrongPassword);
  },
  async run(context, _input, checked): Promise<Confirmation> {
    const { storage, caller } = context;
    const user = await userOrThrow(storage.users.lock(caller.userId), caller.userId);
    // Another request changed the password while it was being checked.
    if (user.passwordHash !== checked) throw wrongPassword();
    await remove(context, user);
    return { message: "The account has been deleted." };
  },
});

/** Deletes a user's account, with the effects of the user's own deletion. For administrators. */
export const deleteUser = useCase({
  access: "administrator",
  refusals: ["forbidden", "owns_workspaces"],
  input: z.strictObject({ userId }),
  locks: ({ userId }) => ({ userId }),
  async run(context, { userId: id }): Promise<void> {
    await remove(context, await userOrThrow(context.storage.users.lock(id), id));
  },
});

const wrongPassword = () => fieldError("password", "is not your password");

async function remove(
  { storage, caller, emit, mail }: Pick<WriteContext, "storage" | "caller" | "emit" | "mail">,
  user: User,
): Promise<void> {
  // As of a demotion: the last administrator's rights end at the operator's hands only.
  const leaves = caller.kind === "user" && caller.userId === user.id;
  if (user.isAdmin && leaves)
    throw new ServiceError("forbidden", {
      message: "Nobody may remove their own administrator rights: somebody else takes them away first.",
    });
  const owned = await storage.workspaces.countOwnedBy(user.id);
  if (owned > 0) throw new ServiceError("owns_workspaces", { details: { owned } });
  const memberships = await storage.users.delete(user.id);
  for (const { workspaceId, role } of memberships ?? [])
    emit("member.removed", { workspaceId, metadata: { user_id: user.id, role }, isOtherwise: leaves });
  emit("user.deleted", { userId: user.id, metadata: { email: user.email } });
  mail({ kind: "account_deleted", to: mailboxOf(user), data: { name: user.name } });
}
