// Printed by `npm run docs:routes` from the table of routes.
import type { PageOf } from "../page-of.ts";
import type { Event, Message, RevokedSessions, Session, TwoFactorSetup, User } from "./schemas.ts";

/** Lines of the contract about users. */
export interface UsersLines {
  /** Read the own profile. */
  "GET /users/me": {
    fields: Record<never, never>;
    reply: User;
  };
  /** Change the own profile. */
  "PUT /users/me": {
    fields: {
      /** The person's name: at most 100 characters on one line, without a web address. */
      name?: string | undefined;
    };
    reply: User;
  };
  /** Delete your account. */
  "DELETE /users/me": {
    fields: {
      /** The caller's password, to confirm the deletion. */
      password: string;
    };
    reply: Message;
  };
  /** Change your password. */
  "PUT /users/me/password": {
    fields: {
      /** The present password. */
      current_password: string;
      /**
       * The new password: at least 12 characters (the operator may set another number), at most 256, and none of the
       * common ones.
       */
      password: string;
    };
    reply: Message;
  };
  /** Set up two-factor login. */
  "POST /users/me/2fa/setup": {
    fields: Record<never, never>;
    reply: TwoFactorSetup;
  };
  /** Read the pending two-factor set-up as a QR code. */
  "GET /users/me/2fa/qr": {
    fields: Record<never, never>;
    reply: {
      /** QR code as an SVG image. */
      svg: string;
    };
  };
  /** Enable two-factor login by a first code. */
  "POST /users/me/2fa/verify": {
    fields: {
      /** A six-digit code from the authenticator app. */
      code: string;
    };
    reply: {
      /** Whether two-factor login is enabled. */
      enabled: boolean;
      /** Ten codes, each valid for one login, shown only once. */
      recovery_codes: string[];
    };
  };
  /** Disable two-factor login. */
  "POST /users/me/2fa/disable": {
    fields: {
      /** A six-digit code from the authenticator app. */
      code: string;
    };
    reply: {
      /** Whether two-factor login is enabled. */
      enabled: boolean;
    };
  };
  /** List your sessions. */
  "GET /users/me/sessions": {
    fields: {
      /** Number of the page, counted from 0. Default 0. */
      page?: number | undefined;
      /** Number of items per page, 1 to 100. Default 100. */
      size?: number | undefined;
      /**
       * Cursor, in place of `page`: the `after` of the previous page. New items do not shift the list, and every page
       * costs the same, however deep it is.
       */
      after?: string | undefined;
    };
    reply: PageOf<Session>;
  };
  /** Revoke a session. */
  "DELETE /users/me/sessions/{sessionId}": {
    fields: {
      /** The session's id, a UUID. */
      sessionId: string | number;
    };
    reply: Message;
  };
  /** Revoke all sessions but the current one. */
  "POST /users/me/sessions/revoke-others": {
    fields: Record<never, never>;
    reply: RevokedSessions;
  };
  /** Log out of the current session. */
  "POST /users/me/sessions/logout": {
    fields: Record<never, never>;
    reply: Message;
  };
  /** List your security events. */
  "GET /users/me/audit-log": {
    fields: {
      /** Number of the page, counted from 0. Default 0. */
      page?: number | undefined;
      /** Number of items per page, 1 to 100. Default 20. */
      size?: number | undefined;
      /**
       * Cursor, in place of `page`: the `after` of the previous page. New items do not shift the list, and every page
       * costs the same, however deep it is.
       */
      after?: string | undefined;
    };
    reply: PageOf<Event>;
  };
}
