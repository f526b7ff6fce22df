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
  /** admin, editor or viewer; owner, where the workspace has none. */
  role: "owner" | "admin" | "editor" | "viewer";
}

/** What `ensure` takes. */
export interface EnsureMemberInput {
  /** The user's number. */
  userId: number;
  /** owner, where the workspace has none, admin, editor or viewer. */
  role: "owner" | "admin" | "editor" | "viewer";
}

/** What `setRole` takes. */
export interface SetMemberRoleInput {
  /** The member's user id. */
  memberId: number;
  /** admin, editor or viewer: owner is refused, for there is exactly one. */
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
   * Adds an account to a workspace at once, without an invitation, and tells its person by mail. For administrators
   * alone: owners and admins invite, so that nobody joins by the word of people whom they never met, nor is asked for
   * who has an account (decisions §4). Throws `already_member`; `owner_role_not_assignable` where the workspace has
   * an owner.
   *
   * May refuse with `already_member`, `owner_role_not_assignable`.
   */
  add(input: AddMemberInput, ...call: K["any"]): Promise<MemberView>;
  /**
   * Makes sure that a user is a member with this role, without an invitation: for the host, which knows who belongs
   * together. Throws `owner_role_not_assignable` where another is the owner, `owner_role_immutable` where the user
   * is.
   *
   * May refuse with `owner_role_immutable`, `owner_role_not_assignable`.
   */
  ensure(input: EnsureMemberInput, ...call: K["workspace"]): Promise<MemberView>;
  /**
   * Gives a member another role and tells the member by mail (service.md, Members). Nobody changes their own, and the
   * owner's is not changed here (decisions §3). Who may no longer invite has their pending invitations withdrawn.
   *
   * May refuse with `owner_role_immutable`, `owner_role_not_assignable`.
   */
  setRole(input: SetMemberRoleInput, ...call: K["workspace"]): Promise<Confirmation>;
  /**
   * Takes a member out of the workspace, with the invitations they have open. Managers remove others; anyone but the
   * owner may leave (service.md, Members; decisions §3).
   *
   * May refuse with `owner_not_removable`.
   */
  remove(input: RemoveMemberInput, ...call: K["workspace"]): Promise<void>;
}
