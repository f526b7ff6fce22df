// Printed by `npm run verbs`. Do not edit.
export const membersWords = {
  "members.list": "The workspace's members, oldest first (service.md, Members).",
  "members.add":
    "Adds an account to a workspace at once, without an invitation, and tells its person by mail. For administrators alone: owners and admins invite, so that nobody joins by the word of people whom they never met, nor is asked for who has an account (decisions §4). Throws `already_member`; `owner_role_not_assignable` where the workspace has an owner.",
  "members.ensure":
    "Makes sure that a user is a member with this role, without an invitation: for the host, which knows who belongs together. Throws `owner_role_not_assignable` where another is the owner, `owner_role_immutable` where the user is.",
  "members.setRole":
    "Gives a member another role and tells the member by mail (service.md, Members). Nobody changes their own, and the owner's is not changed here (decisions §3). Who may no longer invite has their pending invitations withdrawn.",
  "members.remove":
    "Takes a member out of the workspace, with the invitations they have open. Managers remove others; anyone but the owner may leave (service.md, Members; decisions §3).",
};
