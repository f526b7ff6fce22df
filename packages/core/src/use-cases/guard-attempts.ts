import { addressKey } from "../domain/addresses.ts";
import { digest } from "../domain/tokens.ts";
import { ServiceError } from "../errors.ts";
import type { Repositories } from "../ports/storage.ts";

const minute = 60_000;
const hour = 60 * minute;

/** How often something may be tried. */
export interface Guard {
  key: string;
  limit: number;
  windowMs: number;
}

// Addresses are counted whether or not they have an account, so that a refusal tells nothing; a digest keeps them out of the table.
const ofAddress = (kind: string, email: string): string => `${kind}:${digest(addressKey(email))}`;

/** Every bound on guesses and mails (decisions §2). */
export const guardOf = {
  accountPasswords: (email: string): Guard => ({
    key: ofAddress("passwords:account", email),
    limit: 10,
    windowMs: 15 * minute,
  }),
  clientPasswords: (ip: string): Guard => ({
    key: `passwords:client:${ip}`,
    limit: 50,
    windowMs: 15 * minute,
  }),
  /** A reset costs a password hash before its token is looked at. */
  clientResets: (ip: string): Guard => ({ key: `resets:client:${ip}`, limit: 50, windowMs: 15 * minute }),
  codes: (userId: number): Guard => ({ key: `codes:user:${userId}`, limit: 5, windowMs: 5 * minute }),
  resetMails: (email: string): Guard => ({ key: ofAddress("mails:reset", email), limit: 3, windowMs: hour }),
  verificationMails: (email: string): Guard => ({
    key: ofAddress("mails:verification", email),
    limit: 5,
    windowMs: hour,
  }),
  invitations: (workspaceId: number): Guard => ({
    key: `invitations:workspace:${workspaceId}`,
    limit: 100,
    windowMs: hour,
  }),
} as const;

/** Counts an attempt before it is made; throws `rate_limited` where there were too many. */
export async function reserveAttempt(
  { storage, now }: { storage: Pick<Repositories, "guards">; now: number },
  { key, limit, windowMs }: Guard,
): Promise<void> {
  const reserved = await storage.guards.reserve(key, limit, windowMs, now);
  if (reserved.allowed) return;
  throw new ServiceError("rate_limited", {
    message: "Too many attempts; try again later.",
    retryAfter: Math.max(1, Math.ceil((reserved.retryAt - now) / 1000)),
  });
}
