import { addMember } from "./add-member.ts";
import { ensureMember } from "./ensure-member.ts";
import { listMembers } from "./list-members.ts";
import { removeMember } from "./remove-member.ts";
import { setMemberRole } from "./set-member-role.ts";

/** Members of a workspace. */
export const members = {
  list: listMembers,
  add: addMember,
  ensure: ensureMember,
  setRole: setMemberRole,
  remove: removeMember,
} as const;
