import { z } from "zod";
import type { Confirmation } from "../../calls/confirmation.ts";
import { personOf } from "../../calls/outbox.ts";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { guardOf, reserveAttempt } from "../../identity/guard-attempts.ts";
import { allows } from "../../permissions.ts";
import type { Member, Repositories } from "../../ports/storage.ts";

/**
 * Changes a member's role and notifies the member by e-mail (service.md, Members). Nobody can change their own role,
 * and the owner's role can't be changed here (decisions §3). If the new role may not invite, the member's pending
 * invitations are withdrawn.
 */
export const setMemberRole = useCase({
  access: "members:write",
  refusals: ["owner_role_immutable", "owner_role_not_assignable", "rate_limited"],
  locksWorkspace: true,
  input: z.strictObject({
    memberId: z.int().positive().describe("The member's user id."),
    role: z
      .enum(["owner", "admin", "editor", "viewer"], "must be admin, editor or viewer")
      .describe("The member's role: admin, editor or viewer, but not owner, of which there is exactly one."),
  }),
  async run({ storage, caller, workspace, now, emit, mail }, { memberId, role }): Promise<Confirmation> {
    if (role === "owner") throw new ServiceError("owner_role_not_assignable");
    const member = await findMemberOrThrow(storage, workspace.id, memberId);
    if (member.role === "owner") throw new ServiceError("owner_role_immutable");
    if (caller.kind === "user" && caller.userId === memberId)
      throw new ServiceError("forbidden", { message: "Nobody may change their own role." });
    const message = `${member.name} now has the role ${role}.`;
    if (member.role === role) return { message };
    if (caller.kind === "user")
      await reserveAttempt({ storage, now }, guardOf.roleChanges(workspace.id, memberId));
    if (!(await storage.members.setRole(workspace.id, memberId, role))) {
      // A concurrent call removed the member or made them the owner.
      await findMemberOrThrow(storage, workspace.id, memberId);
      throw new ServiceError("owner_role_immutable");
    }
    if (!allows(role, "invitations:write")) await storage.invitations.deletePendingBy(workspace.id, memberId);
    emit("member.role_updated", { metadata: { user_id: memberId, from: member.role, to: role } });
    mail({
      kind: "role_changed",
      to: { name: member.name, address: member.email },
      data: {
        name: member.name,
        actor: personOf(caller),
        workspace: (await storage.workspaces.find(workspace.id))?.name ?? "",
        from: member.role,
        to: role,
      },
    });
    return { message };
  },
});

/** Returns the member with the user's number. Throws `not_found`. */
export async function findMemberOrThrow(
  storage: Pick<Repositories, "members">,
  workspaceId: number,
  userId: number,
): Promise<Member> {
  const member = await storage.members.find(workspaceId, userId);
  if (member === undefined)
    throw new ServiceError("not_found", { message: `The workspace has no member ${userId}.` });
  return member;
}
