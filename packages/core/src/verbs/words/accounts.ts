// Printed by `npm run verbs`. Do not edit.
export const accountsWords = {
  "accounts.register":
    "Creates an account if `registration` allows the caller to (decisions §12). An invitation's token verifies the address; without one, a verification link is mailed (decisions §2).",
  "accounts.verifyEmail":
    "Verifies an address by the token that was mailed to it (decisions §2), together with the account's password. The link alone would endorse the password of a stranger who created the account in advance. A person who does not know the password chooses a new one, which ends the stranger's sessions.",
  "accounts.resendVerification":
    "Sends another verification link. The answer is the same whether or not the address is known, and is given before the look-up (decisions §2).",
  "accounts.forgotPassword":
    "Sends a link to choose a new password. The answer is the same whether or not the address is known, and is given before the look-up (decisions §2).",
  "accounts.resetPassword":
    "Sets a new password by a mailed token and revokes all sessions of the user (decisions §2). The token also verifies the address. Two-factor login stays on.",
  "accounts.login":
    "Logs a user in. The answer does not distinguish an unknown address from a wrong password (decisions §2).",
};
