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

/** Who belongs to a workspace. */
export interface MembersVerbs<K extends CallShapes = CallShapes> {
  /** The workspace's members, oldest first (service.md, Members). */
  list(input?: NoInput, ...call: K["workspace"]): Promise<Page<MemberView>>;
  /**
   * Adds an account to a workspace at once, without an invitation, and notifies its user by e-mail. For
   * administrators only: owners and admins invite, so that nobody is added by strangers, and nobody can find out who
   * has an account (decisions §4). Throws `already_member`; `owner_role_not_assignable` if the workspace has an
   * owner.
   *
   * May refuse with `already_member`, `owner_role_not_assignable`.
   */
  add(input: AddMemberInput, ...call: K["any"]): Promise<MemberView>;
  /**
   * Adds a user as a member with this role, or changes the member's role, without an invitation: for the host, which
   * knows who belongs together. Throws `owner_role_not_assignable` if another user is the owner,
   * `owner_role_immutable` if this user is.
   *
   * May refuse with `owner_role_immutable`, `owner_role_not_assignable`.
   */
  ensure(input: EnsureMemberInput, ...call: K["workspace"]): Promise<MemberView>;
  /**
   * Changes a member's role and notifies the member by e-mail (service.md, Members). Nobody can change their own
   * role, and the owner's can't be changed here (decisions §3). The pending invitations of a member who may no longer
   * invite are withdrawn.
   *
   * May refuse with `owner_role_immutable`, `owner_role_not_assignable`.
   */
  setRole(input: SetMemberRoleInput, ...call: K["workspace"]): Promise<Confirmation>;
  /**
   * Removes a member from the workspace, with their pending invitations. Managers remove others; anyone but the owner
   * may leave (service.md, Members; decisions §3).
   *
   * May refuse with `owner_not_removable`.
   */
  remove(input: RemoveMemberInput, ...call: K["workspace"]): Promise<void>;
}
