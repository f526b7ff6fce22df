import type { Session } from "../../ports/storage.ts";

/** A login session as its user sees it (service.md, Session). */
export interface SessionView {
  /** The session's id, a UUID. */
  id: string;
  /** The `User-Agent` of the client that logged in. Untrusted text. */
  userAgent: string;
  /** IP address that the login came from. */
  ipAddress: string;
  /** Time of the login, ms since the epoch. */
  createdAt: number;
  /** When it expires, ms since the epoch. */
  expiresAt: number;
  /** Whether it was revoked before it expired. */
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
