import { ServiceError } from "../errors.ts";
import type { ApiKey, User } from "../ports/storage.ts";
import type { QueueClock } from "../queue/queue-clock.ts";
import type { Runtime } from "../service/runtime.ts";
import { apiKeyDigest } from "../workspaces/rules/api-key.ts";
import type { ApiKeyCaller, UserCaller } from "./caller.ts";

/**
 * Returns the user of a session token; `undefined` if the token is not valid. The session's row is read each time, so
 * that a revocation takes effect at once.
 */
export async function authenticateUser(
  {
    storage: { sessions },
    tokens,
    queueClock,
    now: clock,
  }: Pick<Runtime, "storage" | "tokens" | "now"> & { queueClock: Pick<QueueClock, "assure"> },
  token: string,
): Promise<UserCaller | undefined> {
  await queueClock.assure();
  const now = clock();
  const claims = await tokens.verify(token, now);
  if (claims === undefined) return undefined;
  const found = await sessions.findWithUser(claims.sessionId);
  if (found === undefined || found.session.userId !== claims.userId) return undefined;
  if (found.session.revokedAt !== undefined || found.session.expiresAt <= now) return undefined;
  return callerOf(found.user, found.session.id);
}

/** Returns a user as a caller. */
export const callerOf = (user: User, sessionId: string | undefined): UserCaller => ({
  kind: "user",
  userId: user.id,
  sessionId,
  name: user.name,
  email: user.email,
  emailVerified: user.emailVerifiedAt !== undefined,
  isAdmin: user.isAdmin,
});

/** Authenticates API keys. */
export interface ApiKeys {
  /**
   * Returns the key's caller; `undefined` if the key is not valid. Throws `api_key_expired`, which only the holder of
   * the key can see.
   */
  authenticate(key: string): Promise<ApiKeyCaller | undefined>;
  /**
   * Returns the caller of a key that was valid when it was last used, and is still to be looked up; `undefined` for
   * any other key.
   */
  expect(key: string): ApiKeyCaller | undefined;
}

/** Maximum number of cached keys. The oldest entry is removed first. */
const keysAtMost = 1_000;

/**
 * Creates the authentication of API keys. Each key is looked up each time, so that a revocation takes effect at once.
 * The cache holds only a key's caller, which never changes: with a known key, the reads that its request needs are sent
 * together with the look-up. A storage in this process gains nothing by that, so no key is expected there.
 */
export function createApiKeys({
  acceptance: { lookups },
  queueClock,
  now,
  storage: { isRemote = false },
}: Pick<Runtime, "acceptance" | "queueClock" | "now" | "storage">): ApiKeys {
  const known = new Map<string, ApiKeyCaller>();

  /** Returns the caller of a key as it was found. Throws if it has expired. */
  function callerWith(found: ApiKey | undefined): ApiKeyCaller | undefined {
    if (found === undefined || found.revokedAt !== undefined) return undefined;
    if (found.expiresAt !== undefined && found.expiresAt <= now()) {
      const ended = new Date(found.expiresAt).toISOString();
      throw new ServiceError("api_key_expired", {
        message: `The API key expired at ${ended}; create a new one.`,
      });
    }
    const { id: apiKeyId, workspaceId, name, lastUsedAt } = found;
    return { kind: "api_key", apiKeyId, workspaceId, name, lastUsedAt };
  }
  async function find(digest: string): Promise<ApiKeyCaller | undefined> {
    const [assured, looking] = [queueClock.assure(), lookups.findApiKey(digest)];
    const found = assured === undefined ? await looking : (await Promise.all([looking, assured]))[0];
    known.delete(digest);
    const caller = callerWith(found);
    if (!isRemote || caller === undefined) return caller;
    const [first] = known.keys();
    if (known.size >= keysAtMost && first !== undefined) known.delete(first);
    known.set(digest, caller);
    return { ...caller };
  }

  return {
    authenticate(key) {
      const digest = apiKeyDigest(key);
      return digest === undefined ? Promise.resolve(undefined) : find(digest);
    },
    expect(key) {
      // With an empty cache, computing the key's digest would be useless.
      const digest = known.size === 0 ? undefined : apiKeyDigest(key);
      const expected = digest === undefined ? undefined : known.get(digest);
      if (digest === undefined || expected === undefined) return undefined;
      const caller = { ...expected };
      let confirmed: Promise<void> | undefined;
      const lookUp = (): Promise<void> => {
        const looking = find(digest).then((found) => {
          if (found === undefined) throw new ServiceError("unauthenticated");
          Object.assign(caller, found);
        });
        // Whoever awaits the promise handles its rejection; this prevents an unhandled one.
        looking.catch(() => {});
        return looking;
      };
      caller.confirm = () => (confirmed ??= lookUp());
      caller.assume = async (assumed) => callerWith(await assumed(digest));
      return caller;
    },
  };
}
