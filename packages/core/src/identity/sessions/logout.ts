import { z } from "zod";
import type { Confirmation } from "../../calls/confirmation.ts";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";

/** Ends the current session (service.md, Sessions). */
export const logout = useCase({
  access: "user",
  input: z.strictObject({}),
  async run({ storage, caller, now, emit }): Promise<Confirmation> {
    if (caller.sessionId === undefined)
      throw new ServiceError("not_found", { message: "This call belongs to no session." });
    if (await storage.sessions.revoke(caller.userId, caller.sessionId, now))
      emit("user.logout", { metadata: { session_id: caller.sessionId } });
    return { message: "You are logged out." };
  },
});
