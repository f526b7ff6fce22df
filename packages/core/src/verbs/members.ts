// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.
import type { Confirmation } from "../calls/confirmation.ts";
import type { Page } from "../calls/paging.ts";
import type { MemberView } from "../workspaces/members/member-view.ts";
import type { CallShapes, NoInput } from "./call-options.ts";

/** What `add` takes. */
export interface AddMemberInput {
  /** The workspace's number. */
  workspaceId: number;
  /** The user's number. */
  userId: number;
  /** The member's role: admin, editor or viewer; owner only if the workspace has none. */
  role: "owner" | "admin" | "editor" | "viewer";
}

/** What `ensure` takes. */
export interface EnsureMemberInput {
  /** The user's number. */
  userId: number;
  /** The member's role: admin, editor or viewer; owner only if the workspace has none. */
  role: "owner" | "admin" | "editor" | "viewer";
}

/** What `setRole` takes. */
export interface SetMemberRoleInput {
  /** The member's user id. */
  memberId: number;
  /** The member's role: admin, editor or viewer, but not owner, of which there is exactly one. */
  role: "owner" | "admin" | "editor" | "viewer";
}

/** What `remove` takes. */
export interface RemoveMemberInput {
  /** The member's user id. */
  memberId: number;
}

/** Members of a workspace. */
export interface MembersVerbs<K extends CallShapes = CallShapes> {
  /**
   * Lists the workspace's members, oldest first (service.md, Members). All come in one answer; many are read in
   * pieces, between which others' calls go on.
   */
  list(this: void, input?: NoInput, ...call: K["workspace"]): Promise<Page<MemberView>>;
  /**
   * Adds a user to a workspace at once, without an invitation, and notifies them by e-mail. For administrators only:
   * owners and admins must invite, so that strangers can't add anybody or find out who has an account (decisions §4).
   * Throws `already_member`, `email_not_verified`, `owner_role_not_assignable` if the workspace has an owner, or
   * `plan_limit_reached` if an owner's plan allows no further workspace.
   *
   * May refuse with `already_member`, `email_not_verified`, `owner_role_not_assignable`, `plan_limit_reached`.
   */
  add(this: void, input: AddMemberInput, ...call: K["any"]): Promise<MemberView>;
  /**
   * Adds a user as a member with this role, or changes the member's role, without an invitation. For hosts, which
   * keep memberships themselves. Throws `owner_role_not_assignable` if another user is the owner,
   * `owner_role_immutable` if this user is, and `plan_limit_reached` if an owner's plan allows no further workspace.
   *
   * May refuse with `owner_role_immutable`, `owner_role_not_assignable`, `plan_limit_reached`.
   */
  ensure(this: void, input: EnsureMemberInput, ...call: K["workspace"]): Promise<MemberView>;
  /**
   * Changes a member's role and notifies the member by e-mail (service.md, Members). Nobody can change their own
   * role, and the owner's role can't be changed here (decisions §3). If the new role may not invite, the member's
   * pending invitations are withdrawn.
   *
   * May refuse with `owner_role_immutable`, `owner_role_not_assignable`, `rate_limited`.
   */
  setRole(this: void, input: SetMemberRoleInput, ...call: K["workspace"]): Promise<Confirmation>;
  /**
   * Removes a member from the workspace, and the pending invitations that they sent. Owner and admins remove others;
   * any member but the owner may leave (service.md, Members; decisions §3).
   *
   * May refuse with `owner_not_removable`.
   */
  remove(this: void, input: RemoveMemberInput, ...call: K["workspace"]): Promise<void>;
}
