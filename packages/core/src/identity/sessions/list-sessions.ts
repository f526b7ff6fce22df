import { z } from "zod";
import { onlyPage, type Page } from "../../calls/paging.ts";
import { useCase } from "../../calls/use-case.ts";
import { type SessionView, viewSession } from "./session-view.ts";

/** Lists the caller's unexpired sessions, newest first, including revoked ones (service.md, Sessions). */
export const listSessions = useCase({
  access: "user",
  reads: true,
  input: z.strictObject({}),
  async run({ storage, caller, now }): Promise<Page<SessionView>> {
    return onlyPage((await storage.sessions.list(caller.userId, now)).map(viewSession));
  },
});
