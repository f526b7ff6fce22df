import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import type { RevokedSessions } from "../sessions/revoked-sessions.ts";
import { userId } from "./user-fields.ts";
import { userOrThrow } from "./user-or-throw.ts";

/**
 * Revokes all of a user's sessions, including the current one if the user is the caller. Their tokens are refused from
 * the next request on.
 */
export const revokeUserSessions = useCase({
  access: "administrator",
  input: z.strictObject({ userId }),
  locks: ({ userId }) => ({ userId }),
  async run({ storage, now, emit }, { userId: id }): Promise<RevokedSessions> {
    await userOrThrow(storage.users.lock(id), id);
    const revoked = await storage.sessions.revokeAll(id, undefined, now);
    if (revoked > 0)
      emit("session.others_revoked", { userId: id, metadata: { count: revoked }, isOtherwise: true });
    return { message: "Every session of the user has been revoked.", revoked };
  },
});
