import { z } from "zod";
import { ServiceError } from "../../errors.ts";
import type { Config } from "../../options.ts";
import type { Settings } from "../../ports/storage.ts";
import { useCase } from "../../use-case.ts";
import { nameField } from "../name-field.ts";
import { assertWithinLimit } from "../plan-limit.ts";
import { findUserLimits } from "../plans/effective-plan.ts";
import { viewWorkspace, type WorkspaceView } from "./workspace-view.ts";

/** Makes a workspace of which the caller becomes the owner, within the `max_workspaces` of the caller's plan (decisions §2, §6). */
export const createWorkspace = useCase({
  access: "user",
  input: z.strictObject({ name: nameField }),
  async run({ storage, caller, config, now, emit }, { name }): Promise<WorkspaceView> {
    const user = await storage.users.lock(caller.userId);
    if (user === undefined) throw new ServiceError("unauthenticated");
    const { maxWorkspaces } = await findUserLimits(storage, user);
    assertWithinLimit("max_workspaces", maxWorkspaces, await storage.workspaces.countOwnedBy(user.id));
    const workspace = await storage.workspaces.insert({ name, createdAt: now });
    await storage.settings.insert(defaultSettings(workspace.id, config, now));
    await storage.members.insert({
      workspaceId: workspace.id,
      userId: user.id,
      role: "owner",
      createdAt: now,
    });
    emit("workspace.created", { workspaceId: workspace.id, metadata: { name } });
    return viewWorkspace(workspace, "owner");
  },
});

/** The settings a workspace begins with (service.md, Workspace settings). */
const defaultSettings = (workspaceId: number, { webhooks }: Config, now: number): Omit<Settings, "id"> => ({
  workspaceId,
  timezone: "UTC",
  defaultSenderName: "",
  defaultSenderEmail: "",
  webhookRetryCount: webhooks.maxRetries,
  apiKeyExpiryDays: 90,
  bounceAutoSuppress: true,
  requireVerifiedDomain: false,
  createdAt: now,
  updatedAt: now,
});
