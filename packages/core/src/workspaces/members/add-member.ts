import { z } from "zod";
import { orNotFound } from "../../calls/or-not-found.ts";
import { orTaken } from "../../calls/or-taken.ts";
import { personOf } from "../../calls/outbox.ts";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { assertVerified } from "../../identity/users/assert-verified.ts";
import { userOrThrow } from "../../identity/users/user-or-throw.ts";
import { mailboxOf } from "../../identity/users/user-view.ts";
import { assertRoomFor } from "../create-workspace.ts";
import { type MemberView, viewMember } from "./member-view.ts";
import { findMemberOrThrow } from "./set-member-role.ts";

/**
 * Adds a user to a workspace at once, without an invitation, and notifies them by e-mail. For administrators only:
 * owners and admins must invite, so that strangers can't add anybody or find out who has an account (decisions §4).
 * Throws `already_member`, `email_not_verified`, `owner_role_not_assignable` if the workspace has an owner, or
 * `plan_limit_reached` if an owner's plan allows no further workspace.
 */
export const addMember = useCase({
  access: "administrator",
  refusals: ["already_member", "email_not_verified", "owner_role_not_assignable", "plan_limit_reached"],
  input: z.strictObject({
    workspaceId: z.int("must be a workspace's number").positive().describe("The workspace's number."),
    userId: z.int("must be a user's number").positive().describe("The user's number."),
    role: z
      .enum(["owner", "admin", "editor", "viewer"], "must be owner, admin, editor or viewer")
      .describe("The member's role: admin, editor or viewer; owner only if the workspace has none."),
  }),
  locks: ({ workspaceId, userId }) => ({ workspaceId, userId }),
  async run({ storage, caller, now, emit, mail }, { workspaceId, userId, role }): Promise<MemberView> {
    const workspace = orNotFound(await storage.workspaces.lock(workspaceId), `workspace ${workspaceId}`);
    const user = await userOrThrow(storage.users.lock(userId), userId);
    assertVerified(user);
    if (role === "owner") {
      if ((await storage.members.findOwner(workspaceId)) !== undefined)
        throw new ServiceError("owner_role_not_assignable");
      await assertRoomFor(storage, user);
    }
    await orTaken(storage.members.insert({ workspaceId, userId, role, createdAt: now }), "already_member");
    emit("member.added", { workspaceId, metadata: { user_id: userId, role } });
    mail({
      kind: "member_added",
      to: mailboxOf(user),
      data: { name: user.name, actor: personOf(caller), workspace: workspace.name, role },
    });
    return viewMember(await findMemberOrThrow(storage, workspaceId, userId));
  },
});
