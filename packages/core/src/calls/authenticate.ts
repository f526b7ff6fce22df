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

/** The key's caller; `undefined` for any key that can't be used. Throws `api_key_expired`: only who holds the key hears of it. */
export async function authenticateApiKey(
  { sending: { lookups }, now }: Pick<Runtime, "sending" | "now">,
  key: string,
): Promise<ApiKeyCaller | undefined> {
  const digest = apiKeyDigest(key);
  if (digest === undefined) return undefined;
  const found = await lookups.findApiKey(digest);
  if (found === undefined || found.revokedAt !== undefined) return undefined;
  if (found.expiresAt !== undefined && found.expiresAt <= now()) {
    const ended = new Date(found.expiresAt).toISOString();
    throw new ServiceError("api_key_expired", {
      message: `The API key expired at ${ended}: make a new one.`,
    });
  }
  return {
    kind: "api_key",
    apiKeyId: found.id,
    workspaceId: found.workspaceId,
    name: found.name,
    lastUsedAt: found.lastUsedAt,
  };
}
