import type { AttemptResult, ClaimedEmail, Storage } from "../../ports/storage.ts";
import { NOW, newEmail, type SendingWorld, useSendingWorld } from "./sending-world.ts";

export const LEASE = 30_000;

/** Limits of a claim, its time, and its worker. */
export interface ClaimOptions {
  limit?: number;
  now?: number;
  worker?: string;
  maxBytes?: number;
}

/** Claims the due e-mails of each part of the queue, up to `limit` of each. */
export async function claimAll(
  { emailQueue }: Storage,
  { limit = 100, now = NOW, worker = "w", maxBytes = 1e9 }: ClaimOptions = {},
): Promise<ClaimedEmail[]> {
  const { due } = await emailQueue.look(now, 100);
  const wants = due.map(({ route, lane, dueAt }) => ({ route, lane, since: dueAt, limit }));
  return emailQueue.claim({ wants, now, leaseMs: LEASE, worker, maxBytes });
}

/** Returns the ids of claimed e-mails. */
export const ids = (claimed: ClaimedEmail[]) => claimed.map(({ email }) => email.id);

/** Returns the leases of claimed e-mails. */
export const leases = (claimed: ClaimedEmail[]) => claimed.map(({ lease }) => lease);

/** Returns a value that must be present; throws otherwise. */
export function the<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("There is none");
  return value;
}

/** Returns the result of an attempt with the same state for all recipients. */
export function resultOf(
  { email, recipients, lease, attempt }: ClaimedEmail,
  state: "accepted" | "deferred" | "failed",
  next: AttemptResult["next"],
  { endedAt = NOW + 5, isSealed = false } = {},
): AttemptResult {
  const settledAt = state === "deferred" ? undefined : endedAt;
  return {
    lease,
    emailId: email.id,
    workspaceId: email.workspaceId,
    isSealed,
    attempt: {
      number: attempt,
      startedAt: NOW,
      endedAt,
      worker: "w",
      outcome: state === "accepted" ? "sent" : state,
      inDoubt: false,
      reply: "reply",
      smtpServerId: undefined,
    },
    recipients: recipients.map(({ kind, address }) => ({
      kind,
      address,
      state,
      code: 250,
      lastReply: "reply",
      remoteId: undefined,
      settledAt,
    })),
    next,
  };
}

/** The next state of an e-mail that was sent. */
export const sent = { status: "sent" as const, settledAt: NOW + 5 };

/**
 * Opens a storage before each test, with functions that fill the queue, claim from it, and read when the next e-mail is
 * due.
 */
export function useQueue(open: () => Promise<Storage>): {
  world: () => SendingWorld;
  claim: (options?: ClaimOptions) => Promise<ClaimedEmail[]>;
  nextAt: (now?: number) => Promise<number | undefined>;
  insert: (count: number, over?: Parameters<typeof newEmail>[1]) => Promise<string[]>;
} {
  const world = useSendingWorld(open);
  return {
    world,
    claim: (options = {}) => claimAll(world().storage, options),
    nextAt: async (now = NOW) => (await world().storage.emailQueue.look(now, 9)).nextAt,
    async insert(count, over = {}) {
      const emails = Array.from({ length: count }, () => newEmail(world(), over));
      await world().storage.emails.insert(emails);
      return emails.map(({ id }) => id);
    },
  };
}
