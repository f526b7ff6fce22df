// Printed by `npm run verbs`. Do not edit.
export const twoFactorWords = {
  "twoFactor.setup":
    "Makes a secret that waits ten minutes for its first code, in place of a former waiting one (decisions §2). The address must be verified.",
  "twoFactor.verify":
    "Enables two-factor login by a first valid code; the recovery codes are shown this once (decisions §2).",
  "twoFactor.disable":
    "Disables two-factor login by a valid code that was not used before (service.md, Two-factor authentication).",
  "twoFactor.qr":
    "The waiting set-up as a QR code, an SVG document; once enabled, the secret is never shown again.",
};
