// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.
import type { Confirmation } from "../calls/confirmation.ts";
import type { Page } from "../calls/paging.ts";
import type { RevokedSessions } from "../identity/sessions/revoked-sessions.ts";
import type { SessionView } from "../identity/sessions/session-view.ts";
import type { UserView } from "../identity/users/user-view.ts";
import type { CallShapes, NoInput } from "./call-options.ts";

/** What `updateMe` takes. */
export interface UpdateMeInput {
  /** The person's name: at most 100 characters on one line, without a web address. */
  name?: string | undefined;
}

/** What `changePassword` takes. */
export interface ChangePasswordInput {
  /** The present password. */
  currentPassword: string;
  /**
   * The new password: at least 12 characters (the operator may set another number), at most 256, and none of the
   * common ones.
   */
  password: string;
}

/** What `list` takes. */
export interface ListUsersInput {
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
}

/** What `get` takes. */
export interface GetUserInput {
  /** The user's number. */
  userId: number;
}

/** What `getByEmail` takes. */
export interface GetUserByEmailInput {
  /** An e-mail address without a name, at most 254 characters. */
  email: string;
}

/** What `create` takes. */
export interface CreateUserInput {
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
  isAdmin?: boolean | undefined;
}

/** What `ensure` takes. */
export interface EnsureUserInput {
  /** The host's own id for it: 1 to 200 characters on one line, compared exactly. */
  externalId: string;
  /** The person's name: at most 100 characters on one line, without a web address. */
  name: string;
  /** An e-mail address without a name, at most 254 characters. */
  email: string;
}

/** What `link` takes. */
export interface LinkUserInput {
  /** The user's number. */
  userId: number;
  /** The host's own id for it: 1 to 200 characters on one line, compared exactly. */
  externalId: string;
}

/** What `deleteMe` takes. */
export interface DeleteMeInput {
  /** The caller's password, to confirm the deletion. */
  password: string;
}

/** What `delete` takes. */
export interface DeleteUserInput {
  /** The user's number. */
  userId: number;
}

/** What `promote` and `demote` take. */
export interface PromoteUserInput {
  /** The user's number. */
  userId: number;
}

/** What `setPassword` takes. */
export interface SetUserPasswordInput {
  /** The user's number. */
  userId: number;
  /**
   * The new password: at least 12 characters (the operator may set another number), at most 256, and none of the
   * common ones.
   */
  password: string;
}

/** What `resetTwoFactor` takes. */
export interface ResetTwoFactorInput {
  /** The user's number. */
  userId: number;
}

/** What `listSessions` takes. */
export interface ListUserSessionsInput {
  /** The user's number. */
  userId: number;
  /** Number of the page, counted from 0. Default 0. */
  page?: number | undefined;
  /** Number of items per page, 1 to 100. Default 100. */
  size?: number | undefined;
  /**
   * Cursor, in place of `page`: the `after` of the previous page. New items do not shift the list, and every page
   * costs the same, however deep it is.
   */
  after?: string | undefined;
}

/** What `revokeSessions` takes. */
export interface RevokeUserSessionsInput {
  /** The user's number. */
  userId: number;
}

/** The caller's profile, and administration of users. */
export interface UsersVerbs<K extends CallShapes = CallShapes> {
  /** Returns the caller's profile (decisions §2). */
  getMe(this: void, input?: NoInput, ...call: K["user"]): Promise<UserView>;
  /** Changes the caller's name (decisions §2). */
  updateMe(this: void, input?: UpdateMeInput, ...call: K["user"]): Promise<UserView>;
  /**
   * Changes the caller's password and revokes all other sessions (decisions §2).
   *
   * May refuse with `password_not_set`, `rate_limited`.
   */
  changePassword(this: void, input: ChangePasswordInput, ...call: K["user"]): Promise<Confirmation>;
  /** Lists all users, newest first. `q` is searched in name and address (decisions §2). */
  list(this: void, input?: ListUsersInput, ...call: K["any"]): Promise<Page<UserView>>;
  /** Returns one user. */
  get(this: void, input: GetUserInput, ...call: K["any"]): Promise<UserView>;
  /** Returns the user with an address. For the command line, where users are named by address. */
  getByEmail(this: void, input: GetUserByEmailInput, ...call: K["any"]): Promise<UserView>;
  /**
   * Creates a user with a verified address, as the creator vouches for it. The operator creates the first
   * administrator, since only administrators can create others (decisions §2). Throws `email_taken`.
   *
   * May refuse with `email_taken`.
   */
  create(this: void, input: CreateUserInput, ...call: K["any"]): Promise<UserView>;
  /**
   * Creates or updates the user with the host's own id: created if there is none, updated if the name or address
   * differs. Such a user has no password, and the address counts as verified, as the host vouches for both. Repeating
   * it is safe, and so are concurrent calls. Throws `email_taken` if another account has the address: set that
   * account's external id instead.
   *
   * May refuse with `email_taken`.
   */
  ensure(this: void, input: EnsureUserInput, ...call: K["any"]): Promise<UserView>;
  /**
   * Sets or replaces an account's external id, which is the host's own. The password keeps working beside the host's
   * login. An account whose address was never verified loses its password and sessions, as a stranger may have opened
   * it. Throws `external_id_taken`.
   *
   * May refuse with `external_id_taken`.
   */
  link(this: void, input: LinkUserInput, ...call: K["any"]): Promise<UserView>;
  /**
   * Deletes the caller's account; the password is the confirmation. Revokes its sessions and removes its memberships
   * and pending invitations. The logs keep the user's actions, with the name. Throws `owns_workspaces` if a workspace
   * would lose its last owner, `forbidden` for an administrator.
   *
   * May refuse with `forbidden`, `owns_workspaces`, `password_not_set`, `rate_limited`.
   */
  deleteMe(this: void, input: DeleteMeInput, ...call: K["user"]): Promise<Confirmation>;
  /**
   * Deletes a user's account, with the effects of the user's own deletion. For administrators.
   *
   * May refuse with `forbidden`, `owns_workspaces`.
   */
  delete(this: void, input: DeleteUserInput, ...call: K["any"]): Promise<void>;
  /**
   * Makes a user an administrator, whose address must be verified. Only the operator can make the first one, since
   * only administrators may do this (decisions §2).
   *
   * May refuse with `email_not_verified`.
   */
  promote(this: void, input: PromoteUserInput, ...call: K["any"]): Promise<UserView>;
  /**
   * Removes a user's administrator rights, from the next request on. Administrators can't demote themselves. The
   * operator may demote the last administrator.
   *
   * May refuse with `forbidden`.
   */
  demote(this: void, input: PromoteUserInput, ...call: K["any"]): Promise<UserView>;
  /** Sets a user's password and revokes all of the user's sessions. For the command line. */
  setPassword(this: void, input: SetUserPasswordInput, ...call: K["any"]): Promise<Confirmation>;
  /**
   * Disables a user's two-factor login and revokes the user's sessions. For administrators (service.md, Two-factor
   * authentication).
   *
   * May refuse with `two_factor_not_set_up`.
   */
  resetTwoFactor(this: void, input: ResetTwoFactorInput, ...call: K["any"]): Promise<void>;
  /** Lists a user's unexpired sessions, newest first, including revoked ones. */
  listSessions(this: void, input: ListUserSessionsInput, ...call: K["any"]): Promise<Page<SessionView>>;
  /**
   * Revokes all of a user's sessions, including the current one if the user is the caller. Their tokens are refused
   * from the next request on.
   */
  revokeSessions(this: void, input: RevokeUserSessionsInput, ...call: K["any"]): Promise<RevokedSessions>;
}
