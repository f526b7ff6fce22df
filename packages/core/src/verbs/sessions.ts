// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.
import type { Confirmation } from "../calls/confirmation.ts";
import type { Page } from "../calls/paging.ts";
import type { RevokedSessions } from "../identity/sessions/revoked-sessions.ts";
import type { SessionView } from "../identity/sessions/session-view.ts";
import type { CallShapes, NoInput } from "./call-options.ts";

/** What `list` takes. */
export interface ListSessionsInput {
  /** Number of the page, counted from 0. Default 0. */
  page?: number | undefined;
  /** Number of items per page, 1 to 100. Default 100. */
  size?: number | undefined;
  /**
   * Cursor, in place of `page`: the `after` of the previous page. New items do not shift the list, and every page
   * costs the same, however deep it is.
   */
  after?: string | undefined;
}

/** What `revoke` takes. */
export interface RevokeSessionInput {
  /** The session's id, a UUID. */
  sessionId: string;
}

/** Login sessions of the caller. */
export interface SessionsVerbs<K extends CallShapes = CallShapes> {
  /** Lists the caller's unexpired sessions, newest first, including revoked ones (service.md, Sessions). */
  list(this: void, input?: ListSessionsInput, ...call: K["user"]): Promise<Page<SessionView>>;
  /** Revokes one of the caller's sessions. Its token is refused from the next request on (service.md, Sessions). */
  revoke(this: void, input: RevokeSessionInput, ...call: K["user"]): Promise<Confirmation>;
  /** Revokes all of the caller's sessions except the current one (service.md, Sessions). */
  revokeOthers(this: void, input?: NoInput, ...call: K["user"]): Promise<RevokedSessions>;
  /** Ends the current session (service.md, Sessions). */
  logout(this: void, input?: NoInput, ...call: K["user"]): Promise<Confirmation>;
}
