import type { Caller, ClientInfo } from "../calls/caller.ts";
import { ServiceError } from "../errors.ts";
import { addressKey } from "../ports/storage/address-key.ts";
import type { Repositories } from "../ports/storage.ts";
import { digest } from "../rules/tokens.ts";
import { clientNetwork } from "./rules/client-network.ts";

const minute = 60_000;
const hour = 60 * minute;
/** Factor of the limit that all clients with an unknown address share, relative to one client's. */
const unknownShare = 20;

/** A rate limit: at most `limit` attempts within `windowMs`, counted under `key`. */
export interface Guard {
  key: string;
  limit: number;
  windowMs: number;
}

// Addresses are counted whether or not they have an account, so that a refusal reveals nothing. A digest keeps them out
// of the table.
const ofAddress = (kind: string, email: string): string => `${kind}:${digest(addressKey(email))}`;

/** Rate limits for guesses, mails and costly requests, by account, user and workspace (decisions §2). */
export const guardOf = {
  accountPasswords: (email: string): Guard => ({
    key: ofAddress("passwords:account", email),
    limit: 10,
    windowMs: 15 * minute,
  }),
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
  webhookTests: (workspaceId: number): Guard => ({
    key: `webhook-tests:workspace:${workspaceId}`,
    limit: 60,
    windowMs: 10 * minute,
  }),
  domainChanges: (workspaceId: number): Guard => ({
    key: `domain-changes:workspace:${workspaceId}`,
    limit: 60,
    windowMs: hour,
  }),
  domainChecks: (workspaceId: number): Guard => ({
    key: `domain-checks:workspace:${workspaceId}`,
    limit: 30,
    windowMs: 10 * minute,
  }),
  smtpServerTests: (workspaceId: number): Guard => ({
    key: `smtp-server-tests:workspace:${workspaceId}`,
    limit: 10,
    windowMs: minute,
  }),
  redeliveries: (workspaceId: number): Guard => ({
    key: `redeliveries:workspace:${workspaceId}`,
    limit: 600,
    windowMs: hour,
  }),
} as const;

/** Rate limits for one client, so that it can't exhaust what others share. */
const clientBounds = {
  passwords: { limit: 50, windowMs: 15 * minute },
  /** Each attempt costs a password hash before its token is looked at. */
  mailedTokens: { limit: 50, windowMs: 15 * minute },
  registrations: { limit: 10, windowMs: hour },
  /** Mails of any kind that can be requested without a login. */
  mails: { limit: 30, windowMs: hour },
} as const satisfies Record<string, Omit<Guard, "key">>;

/**
 * Returns the rate limit of a client, by its IPv4 address or IPv6 /64. All clients whose address the host does not pass
 * share one larger limit. `undefined` for the operator, which has none.
 */
export function clientGuard(
  kind: keyof typeof clientBounds,
  { client, caller }: { client: ClientInfo; caller: Caller },
): Guard | undefined {
  const bound = clientBounds[kind];
  if (client.ip !== "") return { ...bound, key: `${kind}:client:${clientNetwork(client.ip)}` };
  if (caller.kind === "operator") return undefined;
  return { ...bound, key: `${kind}:client:unknown`, limit: bound.limit * unknownShare };
}

interface Means {
  storage: Pick<Repositories, "guards">;
  now: number;
}

/** Counts an attempt with each of the guards before it is made. Throws `rate_limited` if one of them is exceeded. */
export async function reserveAttempt(
  { storage, now }: Means,
  ...guards: (Guard | undefined)[]
): Promise<void> {
  for (const guard of guards) {
    if (guard === undefined) continue;
    const reserved = await storage.guards.reserve(guard.key, guard.limit, guard.windowMs, now);
    if (reserved.allowed) continue;
    throw new ServiceError("rate_limited", {
      message: "Too many attempts; try again later.",
      retryAfter: Math.max(1, Math.ceil((reserved.retryAt - now) / 1000)),
    });
  }
}

/** Takes back a counted attempt that was not made in the end. */
export async function releaseAttempt(
  { storage }: Pick<Means, "storage">,
  ...guards: (Guard | undefined)[]
): Promise<void> {
  for (const guard of guards) if (guard !== undefined) await storage.guards.release(guard.key);
}
