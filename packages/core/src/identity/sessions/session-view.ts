import type { Session } from "../../ports/storage.ts";

/** A login as its user sees it (service.md, Session). */
export interface SessionView {
  id: string;
  userAgent: string;
  ipAddress: string;
  createdAt: number;
  expiresAt: number;
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
