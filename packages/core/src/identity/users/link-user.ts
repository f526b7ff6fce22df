import { z } from "zod";
import { externalId } from "../../calls/external-id.ts";
import { orTaken } from "../../calls/or-taken.ts";
import { useCase, type WriteContext } from "../../calls/use-case.ts";
import type { User } from "../../ports/storage.ts";
import { markVerified } from "./mark-verified.ts";
import { userId } from "./user-fields.ts";
import { userOrThrow } from "./user-or-throw.ts";
import { type UserView, viewUser } from "./user-view.ts";

/**
 * Sets or replaces an account's external id, which is the host's own. The password keeps working beside the host's
 * login. An account whose address was never verified loses its password and sessions, as a stranger may have opened it.
 * Throws `external_id_taken`.
 */
export const linkUser = useCase({
  access: "administrator",
  refusals: ["external_id_taken"],
  input: z.strictObject({ userId, externalId }),
  locks: ({ userId }) => ({ userId }),
  async run(context, { userId: id, externalId: given }): Promise<UserView> {
    const before = await userOrThrow(context.storage.users.lock(id), id);
    if (before.externalId === given) return viewUser(before);
    if (before.emailVerifiedAt === undefined) await dropLogin(context, before);
    const user = await userOrThrow(
      orTaken(context.storage.users.update(id, { externalId: given }), "external_id_taken"),
      id,
    );
    context.emit("user.linked", {
      userId: id,
      metadata: {
        external_id: given,
        changes: { external_id: { from: before.externalId ?? null, to: given } },
      },
    });
    return viewUser(user);
  },
});

async function dropLogin(context: WriteContext, user: User): Promise<void> {
  const { storage, now } = context;
  await markVerified(context, user);
  await storage.users.update(user.id, { passwordHash: undefined });
  await storage.sessions.revokeAll(user.id, undefined, now);
  await storage.emailTokens.deleteFor(user.id, "reset_password");
}
