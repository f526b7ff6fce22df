import type { User } from "../../ports/storage.ts";

/** A user as the API shows it (decisions §2), without hash and secret. */
export interface UserView {
  /** The user's number. */
  id: number;
  /** The user's name. */
  name: string;
  /** The user's address, as it was typed. */
  email: string;
  /** The host's own id for the user. */
  externalId: string | undefined;
  /** Whether the user has proven the address. */
  emailVerified: boolean;
  /** Whether logins need a second factor. */
  twoFactorEnabled: boolean;
  /** Whether the user is an administrator of the platform. */
  isAdmin: boolean;
  /** When the account was created, ms since the epoch. */
  createdAt: number;
}

export const viewUser = (user: User): UserView => ({
  id: user.id,
  name: user.name,
  email: user.email,
  externalId: user.externalId,
  emailVerified: user.emailVerifiedAt !== undefined,
  twoFactorEnabled: user.twoFactorEnabledAt !== undefined,
  isAdmin: user.isAdmin,
  createdAt: user.createdAt,
});

/** The name and address for the service's own mails to a user. */
export const mailboxOf = ({
  name,
  email,
}: Pick<User, "name" | "email">): { name: string; address: string } => ({
  name,
  address: email,
});
