// Printed by `npm run docs:routes` from the table of routes.
import type { Invitation, Joined, Message } from "./schemas.ts";

/** Lines of the contract about invitations. */
export interface InvitationsLines {
  /** Invite a person. */
  "POST /workspaces/current/invitations": {
    fields: {
      /** An e-mail address without a name, at most 254 characters. */
      email: string;
      /** The member's role: admin, editor or viewer, but not owner. */
      role: "owner" | "admin" | "editor" | "viewer";
    };
    reply: Invitation;
  };
  /** List pending invitations. */
  "GET /workspaces/current/invitations": {
    fields: Record<never, never>;
    reply: Invitation[];
  };
  /** Cancel an invitation. */
  "DELETE /workspaces/current/invitations/{id}": {
    fields: {
      /** The invitation's number. */
      id: string | number;
    };
    reply: undefined;
  };
  /** List your pending invitations. */
  "GET /invitations": {
    fields: Record<never, never>;
    reply: Invitation[];
  };
  /** Accept an invitation by its token. */
  "POST /invitations/accept": {
    fields: {
      /** The token from the invitation's link. */
      token: string;
    };
    reply: Joined;
  };
  /** Decline an invitation by its token. */
  "POST /invitations/decline": {
    fields: {
      /** The token from the invitation's link. */
      token: string;
    };
    reply: Message;
  };
  /** Accept an invitation. */
  "POST /invitations/{id}/accept": {
    fields: {
      /** The invitation's number. */
      id: string | number;
    };
    reply: Joined;
  };
  /** Decline an invitation. */
  "POST /invitations/{id}/decline": {
    fields: {
      /** The invitation's number. */
      id: string | number;
    };
    reply: Message;
  };
}
