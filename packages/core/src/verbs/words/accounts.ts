// Printed by `npm run verbs`. Do not edit.
export const accountsWords = {
  "accounts.register":
    "Creates an account, if `registration` allows the caller to (decisions §12). The token of an invitation verifies the address; without one, a link to verify it is mailed (decisions §2).",
  "accounts.verifyEmail":
    "Verifies an address by the token that was mailed to it (decisions §2), together with the account's password. The link alone would endorse the password of a stranger who created the account in advance; a person who does not know it chooses a new one, which ends everything the stranger set up.",
  "accounts.resendVerification":
    "Sends another link to verify an address; answers the same, and before it looks, whether or not the address is known (decisions §2).",
  "accounts.forgotPassword":
    "Sends a link to choose a new password; answers the same, and before it looks, whether or not the address is known (decisions §2).",
  "accounts.resetPassword":
    "Sets a new password by a mailed token; every session of the user is revoked, two-factor login stays (decisions §2). The token proves the address: an unverified one is verified from now on, and everything a stranger set up before is undone.",
  "accounts.login":
    "Logs a user in; nothing distinguishes an unknown address from a wrong password (decisions §2).",
};
