import type { Invitation, InvitationStatus, Role } from "../../ports/storage.ts";

/** An invitation (service.md, Invitation). Times are ms since the epoch. */
export interface InvitationView {
  id: number;
  workspaceId: number;
  /** The workspace's name for the invitee; empty on the workspace's side. */
  workspace: string;
  email: string;
  role: Exclude<Role, "owner">;
  status: InvitationStatus;
  expiresAt: number;
  createdAt: number;
}

export const viewInvitation = (invitation: Invitation, workspace: string): InvitationView => ({
  id: invitation.id,
  workspaceId: invitation.workspaceId,
  workspace,
  email: invitation.email,
  role: invitation.role,
  status: invitation.status,
  expiresAt: invitation.expiresAt,
  createdAt: invitation.createdAt,
});
