import { ServiceError } from "../errors.ts";
import type { User } from "../ports/storage.ts";
import type { Runtime } from "../service/runtime.ts";
import { apiKeyDigest } from "../workspaces/rules/api-key.ts";
import type { ApiKeyCaller, UserCaller } from "./caller.ts";

/** The person a JWT stands for; `undefined` for any that can't be used. The session's row is read each time: nothing outlives a revocation. */
export async function authenticateUser(
  { storage: { sessions }, tokens, now: clock }: Pick<Runtime, "storage" | "tokens" | "now">,
  token: string,
): Promise<UserCaller | undefined> {
  const now = clock();
  const claims = await tokens.verify(token, now);
  if (claims === undefined) return undefined;
  const found = await sessions.findWithUser(claims.sessionId);
  if (found === undefined || found.session.userId !== claims.userId) return undefined;
  if (found.session.revokedAt !== undefined || found.session.expiresAt <= now) return undefined;
  return callerOf(found.user, found.session.id);
}

/** A user as a caller. */
export const callerOf = (user: User, sessionId: string | undefined): UserCaller => ({
  kind: "user",
  userId: user.id,
  sessionId,
  name: user.name,
  email: user.email,
  emailVerified: user.emailVerifiedAt !== undefined,
  isAdmin: user.isAdmin,
});

/** How API keys become callers. */
export interface ApiKeys {
  /** The key's caller; `undefined` for any key that can't be used. Throws `api_key_expired`: only who holds the key hears of it. */
  authenticate(key: string): Promise<ApiKeyCaller | undefined>;
  /** The caller of a key that was good when it last came, while it is looked up; `undefined` for any other. */
  expect(key: string): ApiKeyCaller | undefined;
}

/** Keys that are remembered at the most; the one that became known first is forgotten. */
const keysAtMost = 1_000;

/**
 * Looks up every key each time, so that nothing outlives a revocation. What is remembered of a key is whose it is, which never changes. When
 * the key comes again, what its request needs is read together with the key itself. A storage in this process gains nothing by that, so no
 * key is expected there.
 */
export function createApiKeys({
  sending: { lookups },
  now,
  storage: { isRemote = false },
}: Pick<Runtime, "sending" | "now" | "storage">): ApiKeys {
  const known = new Map<string, ApiKeyCaller>();

  async function find(digest: string): Promise<ApiKeyCaller | undefined> {
    const found = await lookups.findApiKey(digest);
    known.delete(digest);
    if (found === undefined || found.revokedAt !== undefined) return undefined;
    if (found.expiresAt !== undefined && found.expiresAt <= now()) {
      const ended = new Date(found.expiresAt).toISOString();
      throw new ServiceError("api_key_expired", {
        message: `The API key expired at ${ended}: make a new one.`,
      });
    }
    const { id: apiKeyId, workspaceId, name, lastUsedAt } = found;
    const caller: ApiKeyCaller = { kind: "api_key", apiKeyId, workspaceId, name, lastUsedAt };
    if (!isRemote) return caller;
    const [first] = known.keys();
    if (known.size >= keysAtMost && first !== undefined) known.delete(first);
    known.set(digest, caller);
    return { ...caller };
  }

  return {
    async authenticate(key) {
      const digest = apiKeyDigest(key);
      return digest === undefined ? undefined : find(digest);
    },
    expect(key) {
      // Where none is remembered, a key's digest would be computed for nothing.
      const digest = known.size === 0 ? undefined : apiKeyDigest(key);
      const expected = digest === undefined ? undefined : known.get(digest);
      if (digest === undefined || expected === undefined) return undefined;
      const caller = { ...expected };
      caller.confirmed = find(digest).then((found) => {
        if (found === undefined) throw new ServiceError("unauthenticated");
        Object.assign(caller, found);
      });
      // Heard by whoever waits for it.
      caller.confirmed.catch(() => {});
      return caller;
    },
  };
}
