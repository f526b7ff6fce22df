// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.
import type { Confirmation } from "../calls/confirmation.ts";
import type { Page } from "../calls/paging.ts";
import type { Joined } from "../workspaces/invitations/accept-invitation.ts";
import type { InvitationView } from "../workspaces/invitations/invitation-view.ts";
import type { CallShapes, NoInput } from "./call-options.ts";

/** What `create` takes. */
export interface CreateInvitationInput {
  /** An e-mail address without a name, at most 254 characters. */
  email: string;
  /** The member's role: admin, editor or viewer, but not owner. */
  role: "owner" | "admin" | "editor" | "viewer";
}

/** What `cancel` takes. */
export interface CancelInvitationInput {
  /** The invitation's number. */
  id: number;
}

/** What `accept` and `decline` take. */
export interface AcceptInvitationInput {
  /** The token from the invitation's link. */
  token: string;
}

/** What `acceptById` and `declineById` take. */
export interface AcceptInvitationByIdInput {
  /** The invitation's number. */
  id: number;
}

/** Invitations to workspaces. */
export interface InvitationsVerbs<K extends CallShapes = CallShapes> {
  /**
   * Invites an address to the workspace and mails it the link (service.md, Invitations; decisions §2, §4).
   *
   * May refuse with `already_member`, `email_not_verified`, `invitation_exists`, `owner_role_not_assignable`,
   * `rate_limited`.
   */
  create(this: void, input: CreateInvitationInput, ...call: K["workspace"]): Promise<InvitationView>;
  /** Lists the workspace's pending invitations, newest first, without expired ones (service.md, Invitations). */
  list(this: void, input?: NoInput, ...call: K["workspace"]): Promise<Page<InvitationView>>;
  /** Deletes a pending invitation of the workspace (service.md, Invitations). */
  cancel(this: void, input: CancelInvitationInput, ...call: K["workspace"]): Promise<void>;
  /**
   * Lists the pending invitations to the caller's address. The address must be verified: otherwise a stranger could
   * read them (service.md, Invitations).
   *
   * May refuse with `email_not_verified`.
   */
  listMine(this: void, input?: NoInput, ...call: K["user"]): Promise<Page<InvitationView>>;
  /**
   * Joins the caller to the workspace by the token from the e-mail, which also proves and verifies the caller's
   * address (service.md, Invitations; decisions §4).
   *
   * May refuse with `already_member`, `invitation_expired`, `invitation_for_another_user`, `invitation_not_pending`,
   * `not_found`.
   */
  accept(this: void, input: AcceptInvitationInput, ...call: K["user"]): Promise<Joined>;
  /**
   * Declines an invitation by the token from the mail (service.md, Invitations; decisions §4).
   *
   * May refuse with `invitation_expired`, `invitation_for_another_user`, `invitation_not_pending`, `not_found`.
   */
  decline(this: void, input: AcceptInvitationInput, ...call: K["user"]): Promise<Confirmation>;
  /**
   * Joins the caller to the workspace by the invitation's id. The caller's address must be verified (decisions §4).
   *
   * May refuse with `already_member`, `email_not_verified`, `invitation_expired`, `invitation_for_another_user`,
   * `invitation_not_pending`.
   */
  acceptById(this: void, input: AcceptInvitationByIdInput, ...call: K["user"]): Promise<Joined>;
  /**
   * Declines an invitation by its id. The caller's address must be verified (decisions §4).
   *
   * May refuse with `email_not_verified`, `invitation_expired`, `invitation_for_another_user`,
   * `invitation_not_pending`.
   */
  declineById(this: void, input: AcceptInvitationByIdInput, ...call: K["user"]): Promise<Confirmation>;
}
