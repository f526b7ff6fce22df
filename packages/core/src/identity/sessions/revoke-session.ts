import { z } from "zod";
import type { Confirmation } from "../../calls/confirmation.ts";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { lockCaller } from "./lock-caller.ts";

/** Revokes one of the caller's sessions. Its token is refused from the next request on (service.md, Sessions). */
export const revokeSession = useCase({
  access: "user",
  input: z.strictObject({
    sessionId: z.uuid("must be a session's id, a UUID").toLowerCase().describe("The session's id, a UUID."),
  }),
  async run({ storage, caller, now, emit }, { sessionId }): Promise<Confirmation> {
    await lockCaller(storage, caller);
    const found = await storage.sessions.findWithUser(sessionId);
    if (found?.session.userId !== caller.userId)
      throw new ServiceError("not_found", { message: "There is no such session." });
    if (await storage.sessions.revoke(caller.userId, sessionId, now))
      emit("session.revoked", { metadata: { session_id: sessionId } });
    return { message: "The session has been revoked." };
  },
});
