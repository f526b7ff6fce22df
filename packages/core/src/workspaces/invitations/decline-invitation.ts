import type { Confirmation } from "../../calls/confirmation.ts";
import { useCase, type WriteContext } from "../../calls/use-case.ts";
import {
  findOpenInvitation,
  type InvitationKey,
  invitationId,
  invitationToken,
  settleInvitation,
} from "./find-open-invitation.ts";

async function decline(context: WriteContext<"user">, key: InvitationKey): Promise<Confirmation> {
  const { invitation } = await findOpenInvitation(context, key);
  const { id, workspaceId, workspaceName, email } = invitation;
  await settleInvitation(context, invitation, "declined");
  context.emit("invitation.declined", { workspaceId, metadata: { invitation_id: id, email } });
  return { message: `You have declined the invitation to the workspace ${workspaceName}.` };
}

/** Declines an invitation by the token from the mail (service.md, Invitations; decisions §4). */
export const declineInvitation = useCase({
  access: "user",
  refusals: ["invitation_expired", "invitation_for_another_user", "invitation_not_pending", "not_found"],
  input: invitationToken,
  run: decline,
});

/** Declines an invitation by its id. The caller's address must be verified (decisions §4). */
export const declineInvitationById = useCase({
  access: "user",
  refusals: [
    "email_not_verified",
    "invitation_expired",
    "invitation_for_another_user",
    "invitation_not_pending",
  ],
  input: invitationId,
  run: decline,
});
