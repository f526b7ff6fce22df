import type { Listing, Slice } from "./paging.ts";

/** A person with an account. */
export interface User {
  /** The user's number. */
  id: number;
  /** What it is called. */
  name: string;
  /** As typed; addresses compare case-insensitively. */
  email: string;
  /** The host's own name for the person, where its login is the service's too. */
  externalId: string | undefined;
  /** `undefined` for whom no password lets in. */
  passwordHash: string | undefined;
  /** When the address was verified, ms since the epoch; `undefined` while it is not. */
  emailVerifiedAt: number | undefined;
  /** Whether the person is an administrator. */
  isAdmin: boolean;
  /** Whether the operator vouches for the person, by opening the account or by who was let invite. */
  isVouchedFor: boolean;
  /** The plan assigned; `undefined`: the default one. */
  planId: number | undefined;
  /** Since when a login needs a second factor, ms since the epoch; `undefined` where it needs none. */
  twoFactorEnabledAt: number | undefined;
  /** Sealed. Set while two-factor login is enabled. */
  totpSecret: string | undefined;
  /** Sealed. Set between set-up and its verification. */
  pendingTotpSecret: string | undefined;
  /** When the pending secret lapses, ms since the epoch. */
  pendingTotpExpiresAt: number | undefined;
  /** When it was made, ms since the epoch. */
  createdAt: number;
}

/** A user to be kept: not vouched for unless it is said. */
export type NewUser = Pick<
  User,
  "name" | "email" | "passwordHash" | "emailVerifiedAt" | "isAdmin" | "createdAt"
> &
  Partial<Pick<User, "isVouchedFor" | "externalId">>;

/** People. */
export interface Users {
  /** Throws `UniqueViolation` where the address or the external id is taken. */
  insert(user: NewUser): Promise<User>;
  /** As `insert`, but where either is taken nothing happens: `undefined`, and the transaction goes on. */
  insertUnlessThere(user: NewUser): Promise<User | undefined>;
  /** `undefined` where there is none. */
  find(id: number): Promise<User | undefined>;
  /** In a transaction: as `find`, and no other transaction changes or counts by this user until this one ends. */
  lock(id: number): Promise<User | undefined>;
  /** In a transaction: whether the user is an administrator, and stays one until the transaction ends. */
  lockAdministrator(id: number): Promise<boolean>;
  /** By the address, in any case; `undefined` where there is none. */
  findByEmail(email: string): Promise<User | undefined>;
  /** Compares letter by letter. */
  findByExternalId(externalId: string): Promise<User | undefined>;
  /** Newest first; `q` is looked for in name and address, case-insensitively. */
  list(filter: { q: string | undefined }, slice: Slice): Promise<Listing<User>>;
  /** Changes what is given; what it is then, or `undefined` where there is none. */
  update(
    id: number,
    changes: Partial<
      Pick<User, "name" | "externalId" | "passwordHash" | "emailVerifiedAt" | "isAdmin" | "planId">
    >,
  ): Promise<User | undefined>;
  /** Gives the user another name and address. Throws `UniqueViolation` where the address is taken. */
  rename(id: number, names: Pick<User, "name" | "email">): Promise<User | undefined>;
  /** Removes the user with sessions, tokens, codes and memberships; whether there was one. Never of an owner of workspaces. */
  delete(id: number): Promise<boolean>;
  /** Keeps a secret until it is verified, in place of a former one; `undefined` forgets it. */
  setPendingTotp(id: number, pending: { secret: string; expiresAt: number } | undefined): Promise<void>;
  /** Makes the pending secret the user's, if it still is `secret`, has not lapsed, and two-factor login is disabled. */
  enableTotp(id: number, secret: string, step: number, now: number): Promise<boolean>;
  /** Forgets secret, last step and recovery codes; whether two-factor login was enabled. */
  disableTotp(id: number): Promise<boolean>;
  /** Takes a time step once: whether it is later than every step taken before. */
  consumeTotpStep(id: number, step: number): Promise<boolean>;
  /** Keeps digests of codes in place of all former ones. */
  replaceRecoveryCodes(id: number, digests: string[]): Promise<void>;
  /** Takes a recovery code once. */
  consumeRecoveryCode(id: number, digest: string): Promise<boolean>;
}

/** A login, backed by a JWT whose `jti` is the session's id. */
export interface Session {
  /** The JWT's `jti`. */
  id: string;
  /** Whose login it is. */
  userId: number;
  /** The header `User-Agent` of the login. */
  userAgent: string;
  /** Where the login came from. */
  ipAddress: string;
  /** When it began, ms since the epoch. */
  createdAt: number;
  /** When it ends, ms since the epoch. */
  expiresAt: number;
  /** When it was ended before its time, ms since the epoch. */
  revokedAt: number | undefined;
}

/** Logins, each behind a JWT. */
export interface Sessions {
  /** Keeps a login. */
  insert(session: Omit<Session, "revokedAt">): Promise<void>;
  /** The session and its user in one read, revoked and expired ones included. */
  findWithUser(id: string): Promise<{ session: Session; user: User } | undefined>;
  /** The user's unexpired sessions, newest first. */
  list(userId: number, now: number): Promise<Session[]>;
  /** Whether there was such a session of the user, revoked now or before. */
  revoke(userId: number, id: string, now: number): Promise<boolean>;
  /** Revokes all of the user's but `exceptId`; how many were. */
  revokeAll(userId: number, exceptId: string | undefined, now: number): Promise<number>;
  /** Removes what has expired, at most `limit` rows; how many. */
  deleteExpired(before: number, limit: number): Promise<number>;
}

/** What a mailed token is good for. */
export type TokenPurpose = "verify_email" | "reset_password";

/** Single-use tokens sent by e-mail, kept as digests. */
export interface EmailTokens {
  /** Keeps the digest of a token that was mailed. */
  insert(token: { digest: string; purpose: TokenPurpose; userId: number; expiresAt: number }): Promise<void>;
  /** The user that an unused, unexpired token is for; the token stays. */
  find(purpose: TokenPurpose, digest: string, now: number): Promise<number | undefined>;
  /** Takes the token once; the user it was for, if it existed, was unused and not expired. */
  consume(purpose: TokenPurpose, digest: string, now: number): Promise<number | undefined>;
  /** Forgets the user's unused tokens of a purpose. */
  deleteFor(userId: number, purpose: TokenPurpose): Promise<void>;
  /** Removes what has expired, at most `limit` rows; how many. */
  deleteExpired(before: number, limit: number): Promise<number>;
}

/** Counts attempts, so that guesses are bounded even in parallel (decisions §2). */
export interface Guards {
  /** Counts one attempt if fewer than `limit` were counted since the window began; otherwise when the window ends, in ms. */
  reserve(
    key: string,
    limit: number,
    windowMs: number,
    now: number,
  ): Promise<{ allowed: true } | { allowed: false; retryAt: number }>;
  /** Forgets what was counted. */
  clear(key: string): Promise<void>;
  /** Gives one counted attempt back: it turned out to be none that should count. */
  release(key: string): Promise<void>;
  /** Removes windows that ended before a time, at most `limit` rows; how many. */
  deleteStale(before: number, limit: number): Promise<number>;
}
