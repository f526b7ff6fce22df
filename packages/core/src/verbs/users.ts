// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.
import type { Confirmation } from "../calls/confirmation.ts";
import type { Page } from "../calls/paging.ts";
import type { RevokedSessions } from "../identity/sessions/revoked-sessions.ts";
import type { SessionView } from "../identity/sessions/session-view.ts";
import type { UserView } from "../identity/users/user-view.ts";
import type { CallShapes, NoInput } from "./call-options.ts";

/** What `updateMe` takes. */
export interface UpdateMeInput {
  /** The person's name, at most 100 characters on one line, without a web address. */
  name?: string | undefined;
}

/** What `changePassword` takes. */
export interface ChangePasswordInput {
  /** The password. */
  currentPassword: string;
  /** The password. */
  password: string;
}

/** What `list` takes. */
export interface ListUsersInput {
  /** Which page, counted from 0. Default 0. */
  page?: number | undefined;
  /** Items a page, 1 to 100. Default 20. */
  size?: number | undefined;
  /**
   * In place of `page`: the `after` of a former page. The list goes on behind it, whatever came in since, and costs
   * the same however deep that is.
   */
  after?: string | undefined;
  /** Part of the name or the address. */
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
  /** The person's name, at most 100 characters on one line, without a web address. */
  name: string;
  /** An e-mail address without a name, at most 254 characters. */
  email: string;
  /** The password. */
  password: string;
  /** Whether they administer the platform. Default false. */
  isAdmin?: boolean | undefined;
}

/** What `ensure` takes. */
export interface EnsureUserInput {
  /** The host's own name for it: 1 to 200 characters on one line, compared letter by letter. */
  externalId: string;
  /** The person's name, at most 100 characters on one line, without a web address. */
  name: string;
  /** An e-mail address without a name, at most 254 characters. */
  email: string;
}

/** What `link` takes. */
export interface LinkUserInput {
  /** The user's number. */
  userId: number;
  /** The host's own name for it: 1 to 200 characters on one line, compared letter by letter. */
  externalId: string;
}

/** What `deleteMe` takes. */
export interface DeleteMeInput {
  /** The caller's password, as a confirmation. */
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
  /** The password. */
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
}

/** What `revokeSessions` takes. */
export interface RevokeUserSessionsInput {
  /** The user's number. */
  userId: number;
}

/** People: one's own profile, and what operators do with others. */
export interface UsersVerbs<K extends CallShapes = CallShapes> {
  /** The caller's profile (decisions §2). */
  getMe(input?: NoInput, ...call: K["user"]): Promise<UserView>;
  /** Changes the caller's name (decisions §2). */
  updateMe(input?: UpdateMeInput, ...call: K["user"]): Promise<UserView>;
  /**
   * Changes the caller's password; all other sessions are revoked (decisions §2).
   *
   * May refuse with `password_not_set`, `rate_limited`.
   */
  changePassword(input: ChangePasswordInput, ...call: K["user"]): Promise<Confirmation>;
  /** Every user, newest first; `q` is looked for in name and address (decisions §2). */
  list(input?: ListUsersInput, ...call: K["any"]): Promise<Page<UserView>>;
  /** One user. */
  get(input: GetUserInput, ...call: K["any"]): Promise<UserView>;
  /** The user with an address: for the command line, where people are named by it. */
  getByEmail(input: GetUserByEmailInput, ...call: K["any"]): Promise<UserView>;
  /**
   * Creates a user with a verified address, as the creator vouches for it. The operator creates the first
   * administrator, since only administrators can create others (decisions §2). Throws `email_taken`.
   *
   * May refuse with `email_taken`.
   */
  create(input: CreateUserInput, ...call: K["any"]): Promise<UserView>;
  /**
   * Creates or updates the user with the host's own id: created if there is none, updated if the name or address
   * differs. Such a user has no password, and the address counts as verified, as the host vouches for both. Repeating
   * it is safe, and so are concurrent calls. Throws `email_taken` if another account has the address: `users.link`
   * sets that account's external id.
   *
   * May refuse with `email_taken`.
   */
  ensure(input: EnsureUserInput, ...call: K["any"]): Promise<UserView>;
  /**
   * Sets an account's external id, the host's own, in place of a former one. Its password keeps working beside the
   * host's login; but an account whose address was never verified loses everything that a stranger may have set up:
   * its password, two-factor login and sessions. Throws `external_id_taken`.
   *
   * May refuse with `external_id_taken`.
   */
  link(input: LinkUserInput, ...call: K["any"]): Promise<UserView>;
  /**
   * Deletes the caller's account; the password is the confirmation. Ends its logins and removes its memberships and
   * pending invitations; the logs keep the user's actions, by name. Throws `owns_workspaces` as long as a workspace
   * would be left without an owner.
   *
   * May refuse with `owns_workspaces`, `password_not_set`, `rate_limited`.
   */
  deleteMe(input: DeleteMeInput, ...call: K["user"]): Promise<Confirmation>;
  /**
   * Deletes a user's account, in the same way: for administrators.
   *
   * May refuse with `owns_workspaces`.
   */
  delete(input: DeleteUserInput, ...call: K["any"]): Promise<void>;
  /**
   * Makes a user an administrator. Only the operator can make the first one, since only administrators may (decisions
   * §2).
   */
  promote(input: PromoteUserInput, ...call: K["any"]): Promise<UserView>;
  /**
   * Removes a user's administrator rights, from the next request on. Administrators can't demote themselves; the
   * operator may demote the last of them.
   *
   * May refuse with `forbidden`.
   */
  demote(input: PromoteUserInput, ...call: K["any"]): Promise<UserView>;
  /** Sets a user's password and ends all of the user's sessions: for the command line. */
  setPassword(input: SetUserPasswordInput, ...call: K["any"]): Promise<Confirmation>;
  /**
   * Disables a user's two-factor login, for administrators; the user's sessions end (service.md, Two-factor
   * authentication).
   *
   * May refuse with `two_factor_not_set_up`.
   */
  resetTwoFactor(input: ResetTwoFactorInput, ...call: K["any"]): Promise<void>;
  /** A user's unexpired sessions, newest first, revoked ones included. */
  listSessions(input: ListUserSessionsInput, ...call: K["any"]): Promise<Page<SessionView>>;
  /**
   * Revokes all of a user's sessions, including the current one if the user is the caller: their tokens are refused
   * from the next request on.
   */
  revokeSessions(input: RevokeUserSessionsInput, ...call: K["any"]): Promise<RevokedSessions>;
}
