import { z } from "zod";
import { type Page, pagesOf } from "../../calls/paging.ts";
import { useCase } from "../../calls/use-case.ts";
import { sessionPaging } from "../sessions/session-paging.ts";
import { type SessionView, viewSession } from "../sessions/session-view.ts";
import { userId } from "./user-fields.ts";
import { userOrThrow } from "./user-or-throw.ts";

const pages = pagesOf("sessions of a user");

/** Lists a user's unexpired sessions, newest first, including revoked ones. */
export const listUserSessions = useCase({
  access: "administrator",
  reads: true,
  input: z.strictObject({ userId, ...sessionPaging }),
  async run({ storage, now }, { userId: id, ...asked }): Promise<Page<SessionView>> {
    await userOrThrow(storage.users.find(id), id);
    const found = await storage.sessions.list(id, now, pages.sliceOf(asked));
    return pages.pageOf(found, asked, viewSession);
  },
});
