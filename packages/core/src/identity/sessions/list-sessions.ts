import { z } from "zod";
import { type Page, pagesOf } from "../../calls/paging.ts";
import { useCase } from "../../calls/use-case.ts";
import { sessionPaging } from "./session-paging.ts";
import { type SessionView, viewSession } from "./session-view.ts";

const pages = pagesOf("sessions");

/** Lists the caller's unexpired sessions, newest first, including revoked ones (service.md, Sessions). */
export const listSessions = useCase({
  access: "user",
  reads: true,
  input: z.strictObject(sessionPaging),
  async run({ storage, caller, now }, asked): Promise<Page<SessionView>> {
    const found = await storage.sessions.list(caller.userId, now, pages.sliceOf(asked));
    return pages.pageOf(found, asked, viewSession);
  },
});
