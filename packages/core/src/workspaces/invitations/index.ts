import { acceptInvitation, acceptInvitationById } from "./accept-invitation.ts";
import { cancelInvitation } from "./cancel-invitation.ts";
import { createInvitation } from "./create-invitation.ts";
import { declineInvitation, declineInvitationById } from "./decline-invitation.ts";
import { listInvitations } from "./list-invitations.ts";
import { listMyInvitations } from "./list-my-invitations.ts";

/** Invitations to workspaces. */
export const invitations = {
  create: createInvitation,
  list: listInvitations,
  cancel: cancelInvitation,
  listMine: listMyInvitations,
  accept: acceptInvitation,
  decline: declineInvitation,
  acceptById: acceptInvitationById,
  declineById: declineInvitationById,
} as const;
