// Printed by `npm run verbs`. Do not edit.
export const twoFactorWords = {
  "twoFactor.setup":
    "Creates a secret that a first code must confirm within ten minutes, and replaces a pending one (decisions §2). The address must be verified.",
  "twoFactor.verify":
    "Enables two-factor login with a first valid code. The recovery codes are shown only once (decisions §2).",
  "twoFactor.disable":
    "Disables two-factor login, given a valid code that was not used before (service.md, Two-factor authentication).",
  "twoFactor.qr":
    "Draws the pending set-up as a QR code, an SVG document. Once two-factor login is enabled, the secret is never shown again.",
};
