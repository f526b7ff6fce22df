import type { Listing, Slice } from "./paging.ts";
import type { Role } from "./workspaces.ts";

/** A user with an account. */
export interface User {
  /** The user's number. */
  id: number;
  /** The name. */
  name: string;
  /** The address as typed; case is ignored in comparisons. */
  email: string;
  /** The host's own id for the user, if users are authenticated by the host. */
  externalId: string | undefined;
  /** Hash of the password; `undefined` if the user can't log in with one. */
  passwordHash: string | undefined;
  /** When the address was verified, ms since the epoch; `undefined` if it is not. */
  emailVerifiedAt: number | undefined;
  /** Whether the user is an administrator. */
  isAdmin: boolean;
  /** Whether the operator vouches for the user, by creating the account or through a trusted workspace's invitation. */
  isVouchedFor: boolean;
  /** Number of the assigned plan; `undefined` for the default one. */
  planId: number | undefined;
  /** When two-factor login was enabled, ms since the epoch; `undefined` if it is not. */
  twoFactorEnabledAt: number | undefined;
  /** The encrypted secret. Set while two-factor login is enabled. */
  totpSecret: string | undefined;
  /** The encrypted new secret. Set between set-up and its verification. */
  pendingTotpSecret: string | undefined;
  /** When the pending secret expires, ms since the epoch. */
  pendingTotpExpiresAt: number | undefined;
  /** When it was created, ms since the epoch. */
  createdAt: number;
}

/** A user to insert; not vouched for by default. */
export type NewUser = Pick<
  User,
  "name" | "email" | "passwordHash" | "emailVerifiedAt" | "isAdmin" | "createdAt"
> &
  Partial<Pick<User, "isVouchedFor" | "externalId">>;

/** Users. */
export interface Users {
  /** Inserts a user. Throws `UniqueViolation` if the address or the external id is taken. */
  insert(user: NewUser): Promise<User>;
  /** Inserts a user, or returns `undefined` if the address or the external id is taken; the transaction continues. */
  insertUnlessThere(user: NewUser): Promise<User | undefined>;
  /** Finds one; `undefined` if there is none. */
  find(id: number): Promise<User | undefined>;
  /** Finds a user and locks the row: no other transaction changes it, or counts by it, until this one ends. */
  lock(id: number): Promise<User | undefined>;
  /** Whether the user is an administrator. The row stays locked until the transaction ends. */
  lockAdministrator(id: number): Promise<boolean>;
  /** Finds a user by address, ignoring case; `undefined` if there is none. */
  findByEmail(email: string): Promise<User | undefined>;
  /** Finds one by its exact external id. */
  findByExternalId(externalId: string): Promise<User | undefined>;
  /** Lists users, newest first. `q` is searched in name and address, ignoring case. */
  list(filter: { q: string | undefined }, slice: Slice): Promise<Listing<User>>;
  /** Changes the given fields. Returns the updated row, or `undefined` if there is none. */
  update(
    id: number,
    changes: Partial<
      Pick<User, "name" | "externalId" | "passwordHash" | "emailVerifiedAt" | "isAdmin" | "planId">
    >,
  ): Promise<User | undefined>;
  /** Changes the user's name and address. Throws `UniqueViolation` if the address is taken. */
  rename(id: number, names: Pick<User, "name" | "email">): Promise<User | undefined>;
  /**
   * Deletes the user with sessions, tokens, codes, memberships and the pending invitations that they sent. Returns the
   * memberships that they had; `undefined` if there is no such user. The caller checks that they own no workspace.
   */
  delete(id: number): Promise<{ workspaceId: number; role: Role }[] | undefined>;
  /** Stores a secret until it is verified, replacing a former one; `undefined` removes it. */
  setPendingTotp(id: number, pending: { secret: string; expiresAt: number } | undefined): Promise<void>;
  /**
   * Makes the pending secret the user's, if it is still `secret`, has not expired, and two-factor login is disabled.
   */
  enableTotp(id: number, secret: string, step: number, now: number): Promise<boolean>;
  /** Removes the secret, the last step and the recovery codes. Returns whether two-factor login was enabled. */
  disableTotp(id: number): Promise<boolean>;
  /** Consumes a time step. Returns whether it is later than every step consumed before. */
  consumeTotpStep(id: number, step: number): Promise<boolean>;
  /** Stores digests of recovery codes, replacing all former ones. */
  replaceRecoveryCodes(id: number, digests: string[]): Promise<void>;
  /** Consumes a recovery code. Returns whether it was unused. */
  consumeRecoveryCode(id: number, digest: string): Promise<boolean>;
}

/** A login session, whose JWT has the session's id as `jti`. */
export interface Session {
  /** The session's id, the JWT's `jti`. */
  id: string;
  /** The user who logged in. */
  userId: number;
  /** The header `User-Agent` of the login. */
  userAgent: string;
  /** IP address that the login came from. */
  ipAddress: string;
  /** When it began, ms since the epoch. */
  createdAt: number;
  /** When it expires, ms since the epoch. */
  expiresAt: number;
  /** When it was revoked before it expired, ms since the epoch. */
  revokedAt: number | undefined;
}

/** Login sessions. */
export interface Sessions {
  /** Inserts a session. */
  insert(session: Omit<Session, "revokedAt">): Promise<void>;
  /** Finds the session and its user in one read, including revoked and expired ones. */
  findWithUser(id: string): Promise<{ session: Session; user: User } | undefined>;
  /** Lists the user's unexpired sessions, newest first. */
  list(userId: number, now: number, slice: Slice): Promise<Listing<Session>>;
  /** Revokes a session. Returns whether the user has such a session, and it was not revoked before. */
  revoke(userId: number, id: string, now: number): Promise<boolean>;
  /** Revokes all of the user's sessions but `exceptId`. Returns the number of those that had not expired. */
  revokeAll(userId: number, exceptId: string | undefined, now: number): Promise<number>;
  /** Deletes the user's oldest sessions but for the `most` newest, in pieces. Returns the number deleted. */
  deleteOldest(userId: number, most: number): Promise<number>;
  /** Deletes expired rows, at most `limit`. Returns their number. */
  deleteExpired(before: number, limit: number): Promise<number>;
}

/** Purpose of an e-mailed token. */
export type TokenPurpose = "verify_email" | "reset_password";

/** Single-use tokens sent by e-mail, stored as digests. */
export interface EmailTokens {
  /** Stores the digest of an e-mailed token. */
  insert(token: { digest: string; purpose: TokenPurpose; userId: number; expiresAt: number }): Promise<void>;
  /** Finds the user of an unused, unexpired token, without consuming it. */
  find(purpose: TokenPurpose, digest: string, now: number): Promise<number | undefined>;
  /** Consumes a token. Returns its user if it existed, was unused and not expired. */
  consume(purpose: TokenPurpose, digest: string, now: number): Promise<number | undefined>;
  /** Deletes the user's unused tokens of a purpose. */
  deleteFor(userId: number, purpose: TokenPurpose): Promise<void>;
  /** Deletes expired rows, at most `limit`. Returns their number. */
  deleteExpired(before: number, limit: number): Promise<number>;
}

/** Counters of attempts for rate limits, exact under concurrency (decisions §2). */
export interface Guards {
  /**
   * Counts one attempt if fewer than `limit` were counted in the window; otherwise returns when the window ends, in ms:
   * `windowMs` from now at the latest, also if a clock that was ahead began it.
   */
  reserve(
    key: string,
    limit: number,
    windowMs: number,
    now: number,
  ): Promise<{ allowed: true } | { allowed: false; retryAt: number }>;
  /** Resets a counter. */
  clear(key: string): Promise<void>;
  /** Takes back one counted attempt that should not count. */
  release(key: string): Promise<void>;
  /** Deletes windows that ended before a time, at most `limit` rows. Returns their number. */
  deleteStale(before: number, limit: number): Promise<number>;
}
