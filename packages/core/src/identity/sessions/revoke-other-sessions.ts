import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { lockCaller } from "./lock-caller.ts";
import type { RevokedSessions } from "./revoked-sessions.ts";

/** Revokes all of the caller's sessions except the current one (service.md, Sessions). */
export const revokeOtherSessions = useCase({
  access: "user",
  input: z.strictObject({}),
  async run({ storage, caller, now, emit }): Promise<RevokedSessions> {
    await lockCaller(storage, caller);
    const revoked = await storage.sessions.revokeAll(caller.userId, caller.sessionId, now);
    if (revoked > 0) emit("session.others_revoked", { metadata: { count: revoked } });
    return { message: "All other sessions have been revoked.", revoked };
  },
});
