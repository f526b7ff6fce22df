import type { Suppression, SuppressionOrigin } from "../ports/storage.ts";

/** A suppression as the API shows it (platform.md P8). Times are ms since the epoch. */
export interface SuppressionView {
  /** An address, or `@` and a domain. */
  email: string;
  /** The scope: `*` for all mail, or the name of the list whose mail is stopped. */
  scope: string;
  /** The origin of the suppression. */
  origin: SuppressionOrigin;
  /** The reason as free text; empty if none was given. */
  reason: string;
  /** Id of the e-mail that led to it. */
  emailId: string | undefined;
  /** Number of the user who created it. */
  createdBy: number | undefined;
  /** When it was created, ms since the epoch. */
  createdAt: number;
  /** `undefined` if it never expires. */
  expiresAt: number | undefined;
}

export const viewSuppression = (entry: Suppression): SuppressionView => ({
  email: entry.address,
  scope: entry.scope,
  origin: entry.origin,
  reason: entry.reason,
  emailId: entry.emailId,
  createdBy: entry.createdBy,
  createdAt: entry.createdAt,
  expiresAt: entry.expiresAt,
});
