// Printed by `npm run docs:routes` from the table of routes.
import type { Member, Message } from "./schemas.ts";

/** Lines of the contract about members. */
export interface MembersLines {
  /** List the members. */
  "GET /workspaces/current/members": {
    fields: Record<never, never>;
    reply: Member[];
  };
  /** Change a member's role. */
  "PUT /workspaces/current/members/{member_id}": {
    fields: {
      /** The member's user id. */
      member_id: string | number;
      /** The member's role: admin, editor or viewer, but not owner, of which there is exactly one. */
      role: "owner" | "admin" | "editor" | "viewer";
    };
    reply: Message;
  };
  /** Remove a member, or leave. */
  "DELETE /workspaces/current/members/{member_id}": {
    fields: {
      /** The member's user id. */
      member_id: string | number;
    };
    reply: undefined;
  };
}
