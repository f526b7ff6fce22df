// Printed by `npm run verbs`. Do not edit.
export const membersWords = {
  "members.list":
    "Lists the workspace's members, oldest first (service.md, Members). All come in one answer; many are read in pieces, between which others' calls go on.",
  "members.add":
    "Adds a user to a workspace at once, without an invitation, and notifies them by e-mail. For administrators only: owners and admins must invite, so that strangers can't add anybody or find out who has an account (decisions §4). Throws `already_member`, `owner_role_not_assignable` if the workspace has an owner, or `plan_limit_reached` if an owner's plan allows no further workspace.",
  "members.ensure":
    "Adds a user as a member with this role, or changes the member's role, without an invitation. For hosts, which keep memberships themselves. Throws `owner_role_not_assignable` if another user is the owner, `owner_role_immutable` if this user is, and `plan_limit_reached` if an owner's plan allows no further workspace.",
  "members.setRole":
    "Changes a member's role and notifies the member by e-mail (service.md, Members). Nobody can change their own role, and the owner's role can't be changed here (decisions §3). If the new role may not invite, the member's pending invitations are withdrawn.",
  "members.remove":
    "Removes a member from the workspace, and the pending invitations that they sent. Owner and admins remove others; any member but the owner may leave (service.md, Members; decisions §3).",
};
