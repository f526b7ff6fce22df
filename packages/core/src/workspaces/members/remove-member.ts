import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { allows } from "../../permissions.ts";
import { findMemberOrThrow } from "./set-member-role.ts";

/**
 * Removes a member from the workspace, and the pending invitations that they sent. Owner and admins remove others; any
 * member but the owner may leave (service.md, Members; decisions §3).
 */
export const removeMember = useCase({
  access: "members:remove",
  refusals: ["owner_not_removable"],
  locksWorkspace: true,
  input: z.strictObject({
    memberId: z.int().positive().describe("The member's user id."),
  }),
  async run({ storage, caller, workspace, emit }, { memberId }): Promise<void> {
    const leaves = caller.kind === "user" && caller.userId === memberId;
    if (!leaves && workspace.role !== undefined && !allows(workspace.role, "members:write"))
      throw new ServiceError("forbidden");
    const member = await findMemberOrThrow(storage, workspace.id, memberId);
    if (member.role === "owner") throw new ServiceError("owner_not_removable");
    if (!(await storage.members.delete(workspace.id, memberId))) {
      // A concurrent call removed the member or made them the owner.
      await findMemberOrThrow(storage, workspace.id, memberId);
      throw new ServiceError("owner_not_removable");
    }
    await storage.invitations.deletePendingBy(workspace.id, memberId);
    emit("member.removed", { metadata: { user_id: memberId, role: member.role }, isOtherwise: leaves });
  },
});
