import type { Session } from "../../ports/storage.ts";

/** A login as its user sees it (service.md, Session). */
export interface SessionView {
  /** The session's id, a UUID. */
  id: string;
  /** The program that logged in, in its own words: a hostile string. */
  userAgent: string;
  /** Where the login came from. */
  ipAddress: string;
  /** When the login was, ms since the epoch. */
  createdAt: number;
  /** When it ends by itself, ms since the epoch. */
  expiresAt: number;
  /** Whether it was ended before its time. */
  revoked: boolean;
}

export const viewSession = (session: Session): SessionView => ({
  id: session.id,
  userAgent: session.userAgent,
  ipAddress: session.ipAddress,
  createdAt: session.createdAt,
  expiresAt: session.expiresAt,
  revoked: session.revokedAt !== undefined,
});
