import { listSessions } from "./list-sessions.ts";
import { logout } from "./logout.ts";
import { revokeOtherSessions } from "./revoke-other-sessions.ts";
import { revokeSession } from "./revoke-session.ts";

/** Login sessions of the caller. */
export const sessions = {
  list: listSessions,
  revoke: revokeSession,
  revokeOthers: revokeOtherSessions,
  logout,
} as const;
