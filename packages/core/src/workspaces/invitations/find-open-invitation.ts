import { z } from "zod";
import type { ReadContext } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { userOrThrow } from "../../identity/users/user-or-throw.ts";
import type { Invitation, User } from "../../ports/storage.ts";
import { addressKey } from "../../rules/address-key.ts";
import { digest } from "../../rules/tokens.ts";

/** Key of an invitation for its invitee: the token from the mail, or the id. */
export type InvitationKey = { token: string } | { id: number };

export const invitationToken = z.strictObject({
  token: z.string().min(1, "must not be empty").max(256).describe("The token from the invitation's link."),
});
export const invitationId = z.strictObject({ id: z.int().positive().describe("The invitation's number.") });

/** An invitation that can be answered, and who answers it. */
interface OpenInvitation {
  invitation: Invitation;
  invitee: User;
}

/**
 * Returns the invitation if the caller can still answer it, and locks the caller's account, which could otherwise lose
 * the address meanwhile. By id, the address must be verified; the token itself proves the address. Throws
 * `email_not_verified`, `not_found`, `invitation_for_another_user`, `invitation_not_pending`, `invitation_expired`.
 */
export async function findOpenInvitation(
  { storage, caller, now }: ReadContext<"user">,
  key: InvitationKey,
): Promise<OpenInvitation> {
  const invitee = await userOrThrow(storage.users.lock(caller.userId), caller.userId);
  if ("id" in key && invitee.emailVerifiedAt === undefined) throw new ServiceError("email_not_verified");
  const invitation =
    "id" in key
      ? await storage.invitations.find(key.id)
      : await storage.invitations.findByToken(digest(key.token));
  if (invitation === undefined) throw noInvitation();
  if (addressKey(invitation.email) !== addressKey(invitee.email))
    throw new ServiceError("invitation_for_another_user");
  if (invitation.status !== "pending") throw new ServiceError("invitation_not_pending");
  if (invitation.expiresAt <= now) throw new ServiceError("invitation_expired");
  return { invitation, invitee };
}

/** The refusal of an invitation that was cancelled, or whose workspace is gone. */
export const noInvitation = (): ServiceError =>
  new ServiceError("not_found", { message: "There is no such invitation; ask to be invited again." });

/** Changes the status of a pending invitation. Throws `invitation_not_pending` if a concurrent call did so first. */
export async function settleInvitation(
  { storage, now }: ReadContext<"user">,
  invitation: Invitation,
  status: "accepted" | "declined",
): Promise<void> {
  if (!(await storage.invitations.settle(invitation.id, status, now)))
    throw new ServiceError("invitation_not_pending");
}
