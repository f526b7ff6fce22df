import type { Suppression, SuppressionOrigin } from "../ports/storage.ts";

/** A suppression as callers see it (platform.md P8). Times are ms since the epoch. */
export interface SuppressionView {
  /** An address, or `@` and a domain. */
  email: string;
  /** `*` for everything, or the list whose mail it stops. */
  scope: string;
  /** What led to it. */
  origin: SuppressionOrigin;
  /** Why, in words; empty where nobody said. */
  reason: string;
  /** The e-mail that led to it. */
  emailId: string | undefined;
  /** The user who made it. */
  createdBy: number | undefined;
  /** When it was made, ms since the epoch. */
  createdAt: number;
  /** `undefined`: for ever. */
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
