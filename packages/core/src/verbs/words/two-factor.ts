// Printed by `npm run verbs`. Do not edit.
export const twoFactorWords = {
  "twoFactor.setup":
    "Creates a secret that waits ten minutes for its first code, in place of a former pending one (decisions §2). The address must be verified.",
  "twoFactor.verify":
    "Enables two-factor login with a first valid code; the recovery codes are shown only once (decisions §2).",
  "twoFactor.disable":
    "Disables two-factor login with a valid code that was not used before (service.md, Two-factor authentication).",
  "twoFactor.qr":
    "The pending set-up as a QR code, an SVG document; once enabled, the secret is never shown again.",
};
