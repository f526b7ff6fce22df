import type { User } from "../../ports/storage.ts";

/** A user as people see it (decisions §2): no hash, no secret. */
export interface UserView {
  /** The user's number. */
  id: number;
  /** What they are called. */
  name: string;
  /** Their address, as it was typed. */
  email: string;
  /** The host's own name for the person. */
  externalId: string | undefined;
  /** Whether the address has been shown to be theirs. */
  emailVerified: boolean;
  /** Whether logins ask for a second factor. */
  twoFactorEnabled: boolean;
  /** Whether they administer the platform. */
  isAdmin: boolean;
  /** When it was made, ms since the epoch. */
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

/** Whom the service's own mails to a user are addressed to. */
export const mailboxOf = ({
  name,
  email,
}: Pick<User, "name" | "email">): { name: string; address: string } => ({
  name,
  address: email,
});
