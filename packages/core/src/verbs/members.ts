// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.
import type { OutputOf } from "../calls/use-case.ts";
import type { listMembers } from "../workspaces/members/list-members.ts";
import type { removeMember } from "../workspaces/members/remove-member.ts";
import type { setMemberRole } from "../workspaces/members/set-member-role.ts";
import type { CallShapes, NoInput } from "./call-options.ts";

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
  list(input?: NoInput, ...call: K["workspace"]): Promise<OutputOf<typeof listMembers>>;
  /**
   * Gives a member another role and tells the member by mail (service.md, Members). Nobody changes their own, and the
   * owner's is not changed here (decisions §3). Who may no longer invite has their pending invitations withdrawn.
   */
  setRole(input: SetMemberRoleInput, ...call: K["workspace"]): Promise<OutputOf<typeof setMemberRole>>;
  /**
   * Takes a member out of the workspace, with the invitations they have open. Managers remove others; anyone but the
   * owner may leave (service.md, Members; decisions §3).
   */
  remove(input: RemoveMemberInput, ...call: K["workspace"]): Promise<OutputOf<typeof removeMember>>;
}
