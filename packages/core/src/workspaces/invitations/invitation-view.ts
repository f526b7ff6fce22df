import type { Invitation, InvitationStatus, Role } from "../../ports/storage.ts";

/** An invitation (service.md, Invitation). Times are ms since the epoch. */
export interface InvitationView {
  /** The invitation's number. */
  id: number;
  /** The workspace's number. */
  workspaceId: number;
  /** The workspace's name, for the invitee; empty in the workspace's own lists. */
  workspace: string;
  /** The invited address. */
  email: string;
  /** The role that the invitee will have. */
  role: Exclude<Role, "owner">;
  /** Whether it is pending, or how it ended. */
  status: InvitationStatus;
  /** When it expires, ms since the epoch. */
  expiresAt: number;
  /** When it was created, ms since the epoch. */
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
