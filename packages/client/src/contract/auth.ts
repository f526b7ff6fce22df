// Printed by `npm run docs:routes` from the table of routes.
import type { Login, Message, User } from "./schemas.ts";

/** Lines of the contract about auth. */
export interface AuthLines {
  /** Open an account. */
  "POST /auth/register": {
    fields: {
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
      invitation_token?: string | undefined;
    };
    reply: User;
  };
  /** Log in. */
  "POST /auth/login": {
    fields: {
      /** An e-mail address without a name, at most 254 characters. */
      email: string;
      /** The password. */
      password: string;
      /** A six-digit code from the authenticator app, or a recovery code. Null or an empty one counts as none. */
      two_factor_code?: string | null | undefined;
    };
    reply: Login;
  };
  /** Verify an address by a mailed token and a password. */
  "POST /auth/verify-email": {
    fields: {
      /** The token from the e-mailed link. */
      token: string;
      /** The password that the account was opened with. */
      password?: string | undefined;
      /**
       * The new password: at least 12 characters (the operator may set another number), at most 256, and none of the
       * common ones.
       */
      new_password?: string | undefined;
    };
    reply: User;
  };
  /** Send another verification link. */
  "POST /auth/resend-verification": {
    fields: {
      /** An e-mail address without a name, at most 254 characters. */
      email: string;
    };
    reply: Message;
  };
  /** Send a password reset link. */
  "POST /auth/forgot-password": {
    fields: {
      /** An e-mail address without a name, at most 254 characters. */
      email: string;
    };
    reply: Message;
  };
  /** Reset a password by a mailed token. */
  "POST /auth/reset-password": {
    fields: {
      /** The token from the e-mailed link. */
      token: string;
      /**
       * The new password: at least 12 characters (the operator may set another number), at most 256, and none of the
       * common ones.
       */
      password: string;
    };
    reply: Message;
  };
}
