import { disableTwoFactor } from "./disable-two-factor.ts";
import { drawQrCode } from "./draw-qr-code.ts";
import { setUpTwoFactor } from "./set-up-two-factor.ts";
import { verifyTwoFactor } from "./verify-two-factor.ts";

/** Two-factor login of the caller. */
export const twoFactor = {
  setup: setUpTwoFactor,
  verify: verifyTwoFactor,
  disable: disableTwoFactor,
  qr: drawQrCode,
} as const;
