import { orTaken } from "../../calls/or-taken.ts";
import { useCase, type WriteContext } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { markVerified } from "../../identity/users/mark-verified.ts";
import {
  findOpenInvitation,
  type InvitationKey,
  invitationId,
  invitationToken,
  noInvitation,
  settleInvitation,
} from "./find-open-invitation.ts";

/** Result of accepting an invitation. */
export interface Joined {
  /** A sentence for display that names the workspace. */
  message: string;
  /** The workspace's number. */
  workspaceId: number;
}

async function accept(context: WriteContext<"user">, key: InvitationKey): Promise<Joined | ServiceError> {
  const { storage, caller, now, emit } = context;
  const { invitation, invitee } = await findOpenInvitation(context, key);
  const { id, workspaceId, workspaceName, email, role } = invitation;
  // First, as its deletion waits for the invitation: the new member's row would in turn wait for the deletion.
  if (!(await storage.workspaces.hold(workspaceId))) throw noInvitation();
  await settleInvitation(context, invitation, "accepted");
  emit("invitation.accepted", { workspaceId, metadata: { invitation_id: id, email, role } });
  if ("token" in key) await markVerified(context, invitee);
  // Returned, not thrown: the invitation stays accepted although the response is a conflict (service.md, States).
  if ((await storage.members.roleOf(workspaceId, caller.userId)) !== undefined)
    return new ServiceError("already_member");
  const member = { workspaceId, userId: caller.userId, role, createdAt: now };
  await orTaken(storage.members.insert(member), "already_member");
  return { message: `You have joined the workspace ${workspaceName}.`, workspaceId };
}

/**
 * Joins the caller to the workspace by the token from the e-mail, which also proves and verifies the caller's address
 * (service.md, Invitations; decisions §4).
 */
export const acceptInvitation = useCase({
  access: "user",
  refusals: [
    "already_member",
    "invitation_expired",
    "invitation_for_another_user",
    "invitation_not_pending",
    "not_found",
  ],
  input: invitationToken,
  run: accept,
});

/** Joins the caller to the workspace by the invitation's id. The caller's address must be verified (decisions §4). */
export const acceptInvitationById = useCase({
  access: "user",
  refusals: [
    "already_member",
    "email_not_verified",
    "invitation_expired",
    "invitation_for_another_user",
    "invitation_not_pending",
  ],
  input: invitationId,
  run: accept,
});
