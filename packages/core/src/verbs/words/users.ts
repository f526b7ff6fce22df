// Printed by `npm run verbs`. Do not edit.
export const usersWords = {
  "users.getMe": "The caller's profile (decisions §2).",
  "users.updateMe": "Changes the caller's name (decisions §2).",
  "users.changePassword": "Changes the caller's password; all other sessions are revoked (decisions §2).",
  "users.list": "Every user, newest first; `q` is looked for in name and address (decisions §2).",
  "users.get": "One user.",
  "users.getByEmail": "The user with an address: for the command line, where people are named by it.",
  "users.create":
    "Creates a user with a verified address, as the creator vouches for it. The operator creates the first administrator, since only administrators can create others (decisions §2). Throws `email_taken`.",
  "users.ensure":
    "Creates or updates the user with the host's own id: created if there is none, updated if the name or address differs. Such a user has no password, and the address counts as verified, as the host vouches for both. Repeating it is safe, and so are concurrent calls. Throws `email_taken` if another account has the address: `users.link` sets that account's external id.",
  "users.link":
    "Sets an account's external id, the host's own, in place of a former one. Its password keeps working beside the host's login; but an account whose address was never verified loses everything that a stranger may have set up: its password, two-factor login and sessions. Throws `external_id_taken`.",
  "users.deleteMe":
    "Deletes the caller's account; the password is the confirmation. Ends its logins and removes its memberships and pending invitations; the logs keep the user's actions, by name. Throws `owns_workspaces` as long as a workspace would be left without an owner.",
  "users.delete": "Deletes a user's account, in the same way: for administrators.",
  "users.promote":
    "Makes a user an administrator. Only the operator can make the first one, since only administrators may (decisions §2).",
  "users.demote":
    "Removes a user's administrator rights, from the next request on. Administrators can't demote themselves; the operator may demote the last of them.",
  "users.setPassword": "Sets a user's password and ends all of the user's sessions: for the command line.",
  "users.resetTwoFactor":
    "Disables a user's two-factor login, for administrators; the user's sessions end (service.md, Two-factor authentication).",
  "users.listSessions": "A user's unexpired sessions, newest first, revoked ones included.",
  "users.revokeSessions":
    "Revokes all of a user's sessions, including the current one if the user is the caller: their tokens are refused from the next request on.",
};
