import { z } from "zod";
import { orNotFound } from "../calls/or-not-found.ts";
import { useCase } from "../calls/use-case.ts";
import { fieldError, ServiceError } from "../errors.ts";
import { assertRoomFor } from "./create-workspace.ts";
import { getWorkspaceOrThrow, viewWorkspace, type WorkspaceView } from "./workspace-view.ts";

/**
 * Makes a member the owner and the owner an admin, atomically (decisions §2, §3). The new owner's plan must allow one
 * more workspace: otherwise transfers would bypass `max_workspaces`.
 */
export const transferOwnership = useCase({
  access: "workspace:transfer",
  refusals: ["email_not_verified", "not_found", "plan_limit_reached"],
  locksWorkspace: true,
  input: z.strictObject({
    userId: z
      .int()
      .positive()
      .describe("The number of the member who becomes the owner. The former owner becomes an admin."),
  }),
  async run({ storage, workspace, emit }, { userId }): Promise<WorkspaceView> {
    const owner = orNotFound(await storage.members.findOwner(workspace.id));
    if (owner.userId === userId) throw fieldError("userId", "is the owner already");
    if ((await storage.members.roleOf(workspace.id, userId)) === undefined)
      throw new ServiceError("not_found", { message: `The workspace has no member ${userId}.` });
    const user = orNotFound(await storage.users.lock(userId));
    if (user.emailVerifiedAt === undefined) {
      throw new ServiceError("email_not_verified", {
        message: "The new owner has to verify the e-mail address first: the workspace could not send.",
      });
    }
    await assertRoomFor(storage, user);
    if (!(await storage.members.transferOwnership(workspace.id, owner.userId, userId)))
      throw new ServiceError("forbidden", { message: "The ownership has just changed." });
    emit("workspace.ownership_transferred", { metadata: { from: owner.userId, to: userId } });
    const role = workspace.role === undefined ? undefined : "admin";
    return viewWorkspace(await getWorkspaceOrThrow(storage, workspace.id), role);
  },
});
