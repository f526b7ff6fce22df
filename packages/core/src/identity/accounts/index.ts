import { forgotPassword } from "./forgot-password.ts";
import { login } from "./login.ts";
import { register } from "./register.ts";
import { resendVerification } from "./resend-verification.ts";
import { resetPassword } from "./reset-password.ts";
import { verifyEmail } from "./verify-email.ts";

/** Registration, login and account recovery. */
export const accounts = {
  register,
  verifyEmail,
  resendVerification,
  forgotPassword,
  resetPassword,
  login,
} as const;
