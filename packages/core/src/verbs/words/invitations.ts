// Printed by `npm run verbs`. Do not edit.
export const invitationsWords = {
  "invitations.create":
    "Invites an address to the workspace and sends it the link (service.md, Invitations; decisions §2, §4).",
  "invitations.list":
    "The workspace's pending invitations, newest first; expired ones are left out (service.md, Invitations).",
  "invitations.cancel": "Deletes a pending invitation of the workspace (service.md, Invitations).",
  "invitations.listMine":
    "The pending invitations to the caller's address, which must be verified: else a stranger could read them (service.md, Invitations).",
  "invitations.accept":
    "Joins the caller to the workspace, by the token from the e-mail, which proves the caller's address and verifies it (service.md, Invitations; decisions §4).",
  "invitations.decline":
    "Declines an invitation by the token from the mail (service.md, Invitations; decisions §4).",
  "invitations.acceptById":
    "Joins the caller to the workspace, by the invitation's id; the caller's address must be verified (decisions §4).",
  "invitations.declineById":
    "Declines an invitation by its id; the caller's address must be verified (decisions §4).",
};
