import { z } from "zod";
import { onlyPage, type Page } from "../../calls/paging.ts";
import { useCase } from "../../calls/use-case.ts";
import { type SessionView, viewSession } from "../sessions/session-view.ts";
import { userId } from "./user-fields.ts";
import { userOrThrow } from "./user-or-throw.ts";

/** Lists a user's unexpired sessions, newest first, including revoked ones. */
export const listUserSessions = useCase({
  access: "administrator",
  reads: true,
  input: z.strictObject({ userId }),
  async run({ storage, now }, { userId: id }): Promise<Page<SessionView>> {
    await userOrThrow(storage.users.find(id), id);
    return onlyPage((await storage.sessions.list(id, now)).map(viewSession));
  },
});
