// Printed by `npm run verbs`. Do not edit.
export const usersWords = {
  "users.getMe": "The caller's profile (decisions §2).",
  "users.updateMe": "Changes the caller's name (decisions §2).",
  "users.changePassword": "Changes the caller's password; all other sessions are revoked (decisions §2).",
  "users.list": "Every user, newest first; `q` is looked for in name and address (decisions §2).",
  "users.get": "One user.",
  "users.getByEmail": "The user with an address: for the command line, where people are named by it.",
  "users.create":
    "Makes a user whose address counts as verified, as who makes the account vouches for it. The first administrator is made by the operator, since only administrators may (decisions §2). Throws `email_taken`.",
  "users.ensure":
    "Makes sure that there is a user under the host's own id, with this name and address: made where there is none, changed where either is another. Such a user has no password, and the address counts as verified, as the host vouches for both. As often and as many at once as you like. Throws `email_taken` where the address is another account's: `users.link` ties that one to the id.",
  "users.link":
    "Ties an account to the host's own id, in place of a former one. A password that it has goes on working beside the host's login; but of an account whose address was never verified nothing stays that a stranger may have set up: password, two-factor login and sessions end. Throws `external_id_taken`.",
  "users.deleteMe":
    "Deletes the caller's account; the password is the confirmation. Logins end, memberships and the invitations that the person has open go; what the person did stays in the logs, by name. Throws `owns_workspaces` as long as a workspace would be left without an owner.",
  "users.delete": "Deletes a user's account, in the same way: for administrators.",
  "users.promote":
    "Makes a user an administrator. The first one only the operator can make: administrators are all that may (decisions §2).",
  "users.demote":
    "Makes an administrator a user like any other, from the next request on. Administrators don't demote themselves; the operator may demote the last of them.",
  "users.setPassword":
    "Gives a user a new password and ends all of the user's sessions: for the command line.",
  "users.resetTwoFactor":
    "An administrator disables a user's two-factor login; the user's sessions end (service.md, Two-factor authentication).",
  "users.listSessions": "A user's unexpired sessions, newest first, revoked ones included.",
  "users.revokeSessions":
    "Ends all of a user's sessions, the caller's own included where it is the caller: their tokens are refused from the next request on.",
};
