// Printed by `npm run verbs`. Do not edit.
export const membersWords = {
  "members.list": "The workspace's members, oldest first (service.md, Members).",
  "members.add":
    "Adds an account to a workspace at once, without an invitation, and notifies its user by e-mail. For administrators only: owners and admins invite, so that nobody is added by strangers, and nobody can find out who has an account (decisions §4). Throws `already_member`; `owner_role_not_assignable` if the workspace has an owner.",
  "members.ensure":
    "Adds a user as a member with this role, or changes the member's role, without an invitation: for the host, which knows who belongs together. Throws `owner_role_not_assignable` if another user is the owner, `owner_role_immutable` if this user is.",
  "members.setRole":
    "Changes a member's role and notifies the member by e-mail (service.md, Members). Nobody can change their own role, and the owner's can't be changed here (decisions §3). The pending invitations of a member who may no longer invite are withdrawn.",
  "members.remove":
    "Removes a member from the workspace, with their pending invitations. Managers remove others; anyone but the owner may leave (service.md, Members; decisions §3).",
};
