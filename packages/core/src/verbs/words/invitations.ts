// Printed by `npm run verbs`. Do not edit.
export const invitationsWords = {
  "invitations.create":
    "Invites an address to the workspace and mails it the link (service.md, Invitations; decisions §2, §4).",
  "invitations.list":
    "Lists the workspace's pending invitations, newest first, without expired ones (service.md, Invitations).",
  "invitations.cancel": "Deletes a pending invitation of the workspace (service.md, Invitations).",
  "invitations.listMine":
    "Lists the pending invitations to the caller's address. The address must be verified: otherwise a stranger could read them (service.md, Invitations).",
  "invitations.accept":
    "Joins the caller to the workspace by the token from the e-mail, which also proves and verifies the caller's address (service.md, Invitations; decisions §4).",
  "invitations.decline":
    "Declines an invitation by the token from the mail (service.md, Invitations; decisions §4).",
  "invitations.acceptById":
    "Joins the caller to the workspace by the invitation's id. The caller's address must be verified (decisions §4).",
  "invitations.declineById":
    "Declines an invitation by its id. The caller's address must be verified (decisions §4).",
};
