// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.
import type { Confirmation } from "../calls/confirmation.ts";
import type { LoggedIn } from "../identity/accounts/login.ts";
import type { UserView } from "../identity/users/user-view.ts";
import type { CallShapes } from "./call-options.ts";

/** What `register` takes. */
export interface RegisterInput {
  /** The person's name: at most 100 characters on one line, without a web address. */
  name: string;
  /** An e-mail address without a name, at most 254 characters. */
  email: string;
  /**
   * The new password: at least 12 characters (the operator may set another number), at most 256, and none of the
   * common ones.
   */
  password: string;
  /** The token from the link of an invitation to this address. Required unless registration is open. */
  invitationToken?: string | undefined;
}

/** What `verifyEmail` takes. */
export interface VerifyEmailInput {
  /** The token from the e-mailed link. */
  token: string;
  /** The password that the account was opened with. */
  password?: string | undefined;
  /**
   * The new password: at least 12 characters (the operator may set another number), at most 256, and none of the
   * common ones.
   */
  newPassword?: string | undefined;
}

/** What `resendVerification` takes. */
export interface ResendVerificationInput {
  /** An e-mail address without a name, at most 254 characters. */
  email: string;
}

/** What `forgotPassword` takes. */
export interface ForgotPasswordInput {
  /** An e-mail address without a name, at most 254 characters. */
  email: string;
}

/** What `resetPassword` takes. */
export interface ResetPasswordInput {
  /** The token from the e-mailed link. */
  token: string;
  /**
   * The new password: at least 12 characters (the operator may set another number), at most 256, and none of the
   * common ones.
   */
  password: string;
}

/** What `login` takes. */
export interface LoginInput {
  /** An e-mail address without a name, at most 254 characters. */
  email: string;
  /** The password. */
  password: string;
  /** A six-digit code from the authenticator app, or a recovery code. Null or an empty one counts as none. */
  twoFactorCode?: string | null | undefined;
}

/** Registration, login and account recovery. */
export interface AccountsVerbs<K extends CallShapes = CallShapes> {
  /**
   * Creates an account if `registration` allows the caller to (decisions §12). An invitation's token verifies the
   * address; without one, a verification link is mailed (decisions §2).
   *
   * May refuse with `email_taken`, `invitation_expired`, `invitation_for_another_user`, `invitation_not_pending`,
   * `invitation_required`, `rate_limited`, `registration_closed`.
   */
  register(this: void, input: RegisterInput, ...call: K["any"]): Promise<UserView>;
  /**
   * Verifies an address by the token that was mailed to it (decisions §2), together with the account's password. The
   * link alone would endorse the password of a stranger who created the account in advance. A person who does not
   * know the password chooses a new one, which ends the stranger's sessions.
   *
   * May refuse with `rate_limited`.
   */
  verifyEmail(this: void, input: VerifyEmailInput, ...call: K["any"]): Promise<UserView>;
  /**
   * Sends another verification link. The answer is the same whether or not the address is known, and is given before
   * the look-up (decisions §2).
   *
   * May refuse with `rate_limited`.
   */
  resendVerification(this: void, input: ResendVerificationInput, ...call: K["any"]): Promise<Confirmation>;
  /**
   * Sends a link to choose a new password. The answer is the same whether or not the address is known, and is given
   * before the look-up (decisions §2).
   *
   * May refuse with `rate_limited`.
   */
  forgotPassword(this: void, input: ForgotPasswordInput, ...call: K["any"]): Promise<Confirmation>;
  /**
   * Sets a new password by a mailed token and revokes all sessions of the user (decisions §2). The token also
   * verifies the address. Two-factor login stays on.
   *
   * May refuse with `rate_limited`.
   */
  resetPassword(this: void, input: ResetPasswordInput, ...call: K["any"]): Promise<Confirmation>;
  /**
   * Logs a user in. The answer does not distinguish an unknown address from a wrong password (decisions §2).
   *
   * May refuse with `invalid_credentials`, `invalid_two_factor_code`, `rate_limited`, `two_factor_required`.
   */
  login(this: void, input: LoginInput, ...call: K["any"]): Promise<LoggedIn>;
}
