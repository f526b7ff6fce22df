// Printed by `npm run verbs`. Do not edit.
export const accountsWords = {
  "accounts.register":
    "Opens an account, as far as `registration` lets the caller (decisions §12). The token of an invitation verifies the address; without one, a link to verify it is mailed (decisions §2).",
  "accounts.verifyEmail":
    "Verifies an address by the token that was mailed to it (decisions §2), together with the account's password. The link alone would endorse the password of a stranger who opened the account in advance; who does not know it chooses a new one, and what the stranger set up ends.",
  "accounts.resendVerification":
    "Mails another link to verify an address; answers alike, and before it looks, whether or not the address is known (decisions §2).",
  "accounts.forgotPassword":
    "Mails a link to choose a new password; answers alike, and before it looks, whether or not the address is known (decisions §2).",
  "accounts.resetPassword":
    "Sets a new password by a mailed token; every session of the user is revoked, two-factor login stays (decisions §2). The token proves the address: one that was not verified is from here on, and what a stranger set up before is undone.",
  "accounts.login":
    "Logs a person in; an unknown address and a wrong password are told apart by nothing (decisions §2).",
};
