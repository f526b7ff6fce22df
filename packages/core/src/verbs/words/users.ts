// Printed by `npm run verbs`. Do not edit.
export const usersWords = {
  "users.getMe": "Returns the caller's profile (decisions §2).",
  "users.updateMe": "Changes the caller's name (decisions §2).",
  "users.changePassword": "Changes the caller's password and revokes all other sessions (decisions §2).",
  "users.list": "Lists all users, newest first. `q` is searched in name and address (decisions §2).",
  "users.get": "Returns one user.",
  "users.getByEmail":
    "Returns the user with an address. For the command line, where users are named by address.",
  "users.create":
    "Creates a user with a verified address, as the creator vouches for it. The operator creates the first administrator, since only administrators can create others (decisions §2). Throws `email_taken`.",
  "users.ensure":
    "Creates or updates the user with the host's own id: created if there is none, updated if the name or address differs. Such a user has no password, and the address counts as verified, as the host vouches for both. Repeating it is safe, and so are concurrent calls. Throws `email_taken` if another account has the address: `users.link` sets that account's external id.",
  "users.link":
    "Sets or replaces an account's external id, which is the host's own. The password keeps working beside the host's login. An account whose address was never verified loses its password and sessions, as a stranger may have opened it. Throws `external_id_taken`.",
  "users.deleteMe":
    "Deletes the caller's account; the password is the confirmation. Revokes its sessions and removes its memberships and pending invitations. The logs keep the user's actions, with the name. Throws `owns_workspaces` if a workspace would lose its last owner, `forbidden` for an administrator.",
  "users.delete": "Deletes a user's account, with the effects of `deleteMe`. For administrators.",
  "users.promote":
    "Makes a user an administrator. Only the operator can make the first one, since only administrators may do this (decisions §2).",
  "users.demote":
    "Removes a user's administrator rights, from the next request on. Administrators can't demote themselves. The operator may demote the last administrator.",
  "users.setPassword": "Sets a user's password and revokes all of the user's sessions. For the command line.",
  "users.resetTwoFactor":
    "Disables a user's two-factor login and revokes the user's sessions. For administrators (service.md, Two-factor authentication).",
  "users.listSessions": "Lists a user's unexpired sessions, newest first, including revoked ones.",
  "users.revokeSessions":
    "Revokes all of a user's sessions, including the current one if the user is the caller. Their tokens are refused from the next request on.",
};
