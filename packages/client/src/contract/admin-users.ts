// Printed by `npm run docs:routes` from the table of routes.
import type { PageOf } from "../page-of.ts";
import type {
  AdministeredUser,
  Message,
  RevokedSessions,
  Session,
  UserPlan,
  UserPlanAssignment,
} from "./schemas.ts";

/** Lines of the contract about admin users. */
export interface AdminUsersLines {
  /** Delete a user's account. */
  "DELETE /admin/users/{userId}": {
    fields: {
      /** The user's number. */
      userId: string | number;
    };
    reply: Message;
  };
  /** Read a user. */
  "GET /admin/users/{userId}": {
    fields: {
      /** The user's number. */
      userId: string | number;
    };
    reply: AdministeredUser;
  };
  /** List users. */
  "GET /admin/users": {
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
      /** Lists only users whose name or address contains this text. */
      q?: string | undefined;
    };
    reply: PageOf<AdministeredUser>;
  };
  /** Create a user. */
  "POST /admin/users": {
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
      /** Whether the user is an administrator of the platform. Default false. */
      is_admin?: boolean | undefined;
    };
    reply: AdministeredUser;
  };
  /** Make a user an administrator. */
  "POST /admin/users/{userId}/administrator": {
    fields: {
      /** The user's number. */
      userId: string | number;
    };
    reply: AdministeredUser;
  };
  /** Remove a user's administrator rights. */
  "DELETE /admin/users/{userId}/administrator": {
    fields: {
      /** The user's number. */
      userId: string | number;
    };
    reply: AdministeredUser;
  };
  /** List a user's sessions. */
  "GET /admin/users/{userId}/sessions": {
    fields: {
      /** The user's number. */
      userId: string | number;
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
  /** Revoke all of a user's sessions. */
  "DELETE /admin/users/{userId}/sessions": {
    fields: {
      /** The user's number. */
      userId: string | number;
    };
    reply: RevokedSessions;
  };
  /** Set an account's external id. */
  "PUT /admin/users/{userId}/external-id": {
    fields: {
      /** The user's number. */
      userId: string | number;
      /** The host's own id for it: 1 to 200 characters on one line, compared exactly. */
      external_id: string;
    };
    reply: AdministeredUser;
  };
  /** Disable a user's two-factor login. */
  "DELETE /admin/users/{userId}/2fa": {
    fields: {
      /** The user's number. */
      userId: string | number;
    };
    reply: Message;
  };
  /** Assign a plan to a user. */
  "POST /admin/users/{id}/plan": {
    fields: {
      /** The user's number. */
      id: string | number;
      /** The plan's number. */
      plan_id: number;
    };
    reply: UserPlanAssignment;
  };
  /** Read a user's plan. */
  "GET /admin/users/{id}/plan": {
    fields: {
      /** The user's number. */
      id: string | number;
    };
    reply: UserPlan;
  };
  /** Unassign a user's plan. */
  "DELETE /admin/users/{id}/plan": {
    fields: {
      /** The user's number. */
      id: string | number;
    };
    reply: undefined;
  };
}
