// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.
import type { DisabledTwoFactor } from "../identity/two-factor/disable-two-factor.ts";
import type { TwoFactorSetup } from "../identity/two-factor/set-up-two-factor.ts";
import type { EnabledTwoFactor } from "../identity/two-factor/verify-two-factor.ts";
import type { CallShapes, NoInput } from "./call-options.ts";

/** What `verify` takes. */
export interface VerifyTwoFactorInput {
  /** A six-digit code from the authenticator app. */
  code: string;
}

/** What `disable` takes. */
export interface DisableTwoFactorInput {
  /** A six-digit code from the authenticator app. */
  code: string;
}

/** Two-factor login of the caller. */
export interface TwoFactorVerbs<K extends CallShapes = CallShapes> {
  /**
   * Creates a secret that a first code must confirm within ten minutes, and replaces a pending one (decisions §2).
   * The address must be verified.
   *
   * May refuse with `email_not_verified`, `password_not_set`, `two_factor_already_enabled`.
   */
  setup(this: void, input?: NoInput, ...call: K["user"]): Promise<TwoFactorSetup>;
  /**
   * Enables two-factor login with a first valid code. The recovery codes are shown only once (decisions §2).
   *
   * May refuse with `invalid_two_factor_code`, `rate_limited`, `two_factor_already_enabled`, `two_factor_not_set_up`.
   */
  verify(this: void, input: VerifyTwoFactorInput, ...call: K["user"]): Promise<EnabledTwoFactor>;
  /**
   * Disables two-factor login, given a valid code that was not used before (service.md, Two-factor authentication).
   *
   * May refuse with `invalid_two_factor_code`, `rate_limited`, `two_factor_not_set_up`.
   */
  disable(this: void, input: DisableTwoFactorInput, ...call: K["user"]): Promise<DisabledTwoFactor>;
  /**
   * Draws the pending set-up as a QR code, an SVG document. Once two-factor login is enabled, the secret is never
   * shown again.
   *
   * May refuse with `two_factor_already_enabled`, `two_factor_not_set_up`.
   */
  qr(this: void, input?: NoInput, ...call: K["user"]): Promise<string>;
}
