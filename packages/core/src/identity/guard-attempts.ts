import type { Caller, ClientInfo } from "../calls/caller.ts";
import { ServiceError } from "../errors.ts";
import type { Repositories } from "../ports/storage.ts";
import { addressKey } from "../rules/address-key.ts";
import { digest } from "../rules/tokens.ts";
import { clientNetwork } from "./rules/client-network.ts";

const minute = 60_000;
const hour = 60 * minute;
/** Factor of the limit that all clients with an unknown address share, relative to one client's. */
const unknownShare = 20;

/** A rate limit: at most `limit` attempts within `windowMs`, counted under `key`. */
export interface Guard {
  /** What is limited, for the refused caller: the key without the account, user, workspace or client. */
  name: string;
  key: string;
  limit: number;
  windowMs: number;
}

const guard = (name: string, of: string | number, limit: number, windowMs: number): Guard => ({
  name,
  key: `${name}:${of}`,
  limit,
  windowMs,
});

// Addresses are counted whether or not they have an account, so that a refusal reveals nothing. A digest keeps them out
// of the table.
const hidden = (email: string): string => digest(addressKey(email));

/** Rate limits for guesses, mails and costly requests, by account, user and workspace (decisions §2). */
export const guardOf = {
  accountPasswords: (email: string) => guard("passwords:account", hidden(email), 10, 15 * minute),
  codes: (userId: number) => guard("codes:user", userId, 5, 5 * minute),
  resetMails: (email: string) => guard("mails:reset", hidden(email), 3, hour),
  verificationMails: (email: string) => guard("mails:verification", hidden(email), 5, hour),
  invitations: (workspaceId: number) => guard("invitations:workspace", workspaceId, 100, hour),
  /** A person may make any number of workspaces. */
  invitationsBy: (userId: number) => guard("invitations:user", userId, 200, hour),
  /** By all workspaces, and after each cancellation: strangers could otherwise fill anybody's mailbox. */
  invitationMails: (email: string) => guard("mails:invitation", hidden(email), 30, hour),
  /** Each is mailed to the member. */
  roleChanges: (workspaceId: number, userId: number) =>
    guard("role-changes:member", `${workspaceId}:${userId}`, 20, hour),
  webhookTests: (workspaceId: number) => guard("webhook-tests:workspace", workspaceId, 60, 10 * minute),
  domainChanges: (workspaceId: number) => guard("domain-changes:workspace", workspaceId, 60, hour),
  domainChecks: (workspaceId: number) => guard("domain-checks:workspace", workspaceId, 30, 10 * minute),
  smtpServerTests: (workspaceId: number) => guard("smtp-server-tests:workspace", workspaceId, 10, minute),
  redeliveries: (workspaceId: number) => guard("redeliveries:workspace", workspaceId, 600, hour),
} as const;

/** Rate limits for one client, so that it can't exhaust what others share. */
const clientBounds = {
  passwords: { limit: 50, windowMs: 15 * minute },
  mailedTokens: { limit: 50, windowMs: 15 * minute },
  registrations: { limit: 10, windowMs: hour },
  /** Mails of any kind that can be requested without a login. */
  mails: { limit: 30, windowMs: hour },
} as const satisfies Record<string, Pick<Guard, "limit" | "windowMs">>;

/**
 * Returns the rate limit of a client, by its IPv4 address or IPv6 /64. All clients whose address the host does not pass
 * share one larger limit. `undefined` for the operator, which has none.
 */
export function clientGuard(
  kind: keyof typeof clientBounds,
  { client, caller }: { client: ClientInfo; caller: Caller },
): Guard | undefined {
  const { limit, windowMs } = clientBounds[kind];
  const name = `${kind}:client`;
  if (client.ip !== "") return guard(name, clientNetwork(client.ip), limit, windowMs);
  if (caller.kind === "operator") return undefined;
  return guard(name, "unknown", limit * unknownShare, windowMs);
}

interface Means {
  storage: Pick<Repositories, "guards">;
  now: number;
}

/**
 * Counts an attempt with each of the guards before it is made. Throws `rate_limited` if one of them is exceeded; then the
 * attempt counts with none, as it is not made: what one account is refused would use up the attempts of its client.
 */
export async function reserveAttempt(
  { storage, now }: Means,
  ...guards: (Guard | undefined)[]
): Promise<void> {
  for (const [at, each] of guards.entries()) {
    if (each === undefined) continue;
    const { name, key, limit, windowMs } = each;
    const reserved = await storage.guards.reserve(key, limit, windowMs, now);
    if (reserved.allowed) continue;
    await releaseAttempt({ storage }, ...guards.slice(0, at));
    throw new ServiceError("rate_limited", {
      message: "Too many attempts; try again later.",
      retryAfter: Math.max(1, Math.ceil((reserved.retryAt - now) / 1000)),
      rateLimit: { name, limit, remaining: 0, windowSeconds: windowMs / 1000 },
    });
  }
}

/** Takes back a counted attempt that was not made in the end. */
export async function releaseAttempt(
  { storage }: Pick<Means, "storage">,
  ...guards: (Guard | undefined)[]
): Promise<void> {
  for (const each of guards) if (each !== undefined) await storage.guards.release(each.key);
}
