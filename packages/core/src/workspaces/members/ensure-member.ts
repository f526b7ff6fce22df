import { z } from "zod";
import { useCase, type WriteContext } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { userOrThrow } from "../../identity/users/user-or-throw.ts";
import { allows } from "../../permissions.ts";
import type { Role } from "../../ports/storage.ts";
import { assertRoomFor } from "../create-workspace.ts";
import { type MemberView, viewMember } from "./member-view.ts";
import { findMemberOrThrow } from "./set-member-role.ts";

/**
 * Adds a user as a member with this role, or changes the member's role, without an invitation. For hosts, which keep
 * memberships themselves. Throws `owner_role_not_assignable` if another user is the owner, `owner_role_immutable` if
 * this user is, and `plan_limit_reached` if an owner's plan allows no further workspace.
 */
export const ensureMember = useCase({
  access: "members:write",
  refusals: ["owner_role_immutable", "owner_role_not_assignable", "plan_limit_reached"],
  locksWorkspace: true,
  input: z.strictObject({
    userId: z.int().positive("must be a user's number").describe("The user's number."),
    role: z
      .enum(["owner", "admin", "editor", "viewer"], "must be owner, admin, editor or viewer")
      .describe("The member's role: admin, editor or viewer; owner only if the workspace has none."),
  }),
  async run(context, { userId, role }): Promise<MemberView> {
    const { storage, caller, workspace, emit } = context;
    if (caller.kind !== "operator")
      throw new ServiceError("forbidden", { message: "Invite them: only the host adds members itself." });
    const before = await storage.members.roleOf(workspace.id, userId);
    if (before !== role) {
      await assertAssignable(context, before, role);
      if (before === undefined) emit("member.added", { metadata: { user_id: userId, role } });
      else emit("member.role_updated", { metadata: { user_id: userId, from: before, to: role } });
      await put(context, { userId, role });
    }
    return viewMember(await findMemberOrThrow(storage, workspace.id, userId));
  },
});

async function assertAssignable(
  { storage, workspace }: WriteContext<"members:write">,
  before: Role | undefined,
  role: Role,
): Promise<void> {
  if (before === "owner") throw new ServiceError("owner_role_immutable");
  if (role === "owner" && (await storage.members.findOwner(workspace.id)) !== undefined)
    throw new ServiceError("owner_role_not_assignable");
}

async function put(
  { storage, workspace, now }: WriteContext<"members:write">,
  { userId, role }: { userId: number; role: Role },
): Promise<void> {
  const user = await userOrThrow(storage.users.lock(userId), userId);
  if (role === "owner") await assertRoomFor(storage, user);
  if (!(await storage.members.setRole(workspace.id, userId, role)))
    await storage.members.insert({ workspaceId: workspace.id, userId, role, createdAt: now });
  if (!allows(role, "invitations:write")) await storage.invitations.deletePendingBy(workspace.id, userId);
}
