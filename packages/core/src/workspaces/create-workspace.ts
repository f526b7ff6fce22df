import { z } from "zod";
import { workspaceName } from "../calls/input/name-field.ts";
import { orNotFound } from "../calls/or-not-found.ts";
import { useCase, type WriteContext } from "../calls/use-case.ts";
import { ServiceError } from "../errors.ts";
import type { Settings, User, Workspace } from "../ports/storage.ts";
import type { Config } from "../service/options.ts";
import { findLimits } from "./plans/effective-plan.ts";
import { assertWithinLimit } from "./plans/plan-limit.ts";
import { viewWorkspace, type WorkspaceView } from "./workspace-view.ts";

/**
 * Creates a workspace with the caller as its owner, within the `max_workspaces` of the caller's plan (decisions §2,
 * §6). It is trusted if the operator vouches for the caller; otherwise an administrator must trust it (decisions §12).
 * In a single-workspace service only the host creates others.
 */
export const createWorkspace = useCase({
  access: "user",
  refusals: ["forbidden", "plan_limit_reached"],
  insteadForHost: "workspaces.createFor",
  input: z.strictObject({
    name: workspaceName.describe("The workspace's name: at most 100 characters on one line, without a link."),
  }),
  async run(context, { name }): Promise<WorkspaceView> {
    const { caller, config, storage } = context;
    // A caller without a session was named by the host in the library, and the host vouches for them.
    const isNamedByHost = caller.sessionId === undefined && caller.host === undefined;
    // A viewer of the only one would own another, and send from the same address.
    if (config.workspace !== undefined && !isNamedByHost)
      throw new ServiceError("forbidden", {
        message: "The service has one workspace, and people create none.",
      });
    const user = await storage.users.lock(caller.userId);
    if (user === undefined) throw new ServiceError("unauthenticated");
    const isTrusted = isNamedByHost || user.isAdmin || (user.isVouchedFor && config.registration !== "open");
    return viewWorkspace(await insertWorkspace(context, user, { name, isTrusted }), "owner");
  },
});

/**
 * Creates a workspace for a user, who becomes its owner, within the limit of their plan. For the host and the
 * command line.
 */
export const createWorkspaceFor = useCase({
  access: "administrator",
  refusals: ["plan_limit_reached"],
  input: z.strictObject({
    name: workspaceName.describe("The workspace's name: at most 100 characters on one line, without a link."),
    userId: z
      .int()
      .positive("must be a user's number")
      .describe("The number of the user who becomes the owner."),
  }),
  locks: ({ userId }) => ({ userId }),
  async run(context, { name, userId }): Promise<WorkspaceView> {
    const user = orNotFound(await context.storage.users.lock(userId), `user ${userId}`);
    return viewWorkspace(await insertWorkspace(context, user, { name, isTrusted: true }), undefined);
  },
});

async function insertWorkspace(
  { storage, config, now, emit }: Pick<WriteContext, "storage" | "config" | "now" | "emit">,
  owner: User,
  { name, isTrusted }: { name: string; isTrusted: boolean },
): Promise<Workspace> {
  await assertRoomFor(storage, owner);
  const workspace = await storage.workspaces.insert({ name, isTrusted, createdAt: now });
  await storage.settings.insert(defaultSettings(workspace.id, config, now));
  await storage.members.insert({
    workspaceId: workspace.id,
    userId: owner.id,
    role: "owner",
    createdAt: now,
  });
  emit("workspace.created", { workspaceId: workspace.id, metadata: { name } });
  return workspace;
}

/** Throws `plan_limit_reached` if the user's plan allows no further workspace. */
export async function assertRoomFor(
  storage: Pick<WriteContext["storage"], "plans" | "workspaces">,
  owner: User,
): Promise<void> {
  const { maxWorkspaces } = await findLimits(storage, owner);
  await assertWithinLimit("max_workspaces", maxWorkspaces, () => storage.workspaces.countOwnedBy(owner.id));
}

/** Default settings of a new workspace (service.md, Workspace settings). */
export const defaultSettings = (
  workspaceId: number,
  { webhooks }: { webhooks: Pick<Config["webhooks"], "maxRetries"> },
  now: number,
): Omit<Settings, "id"> => ({
  workspaceId,
  timezone: "UTC",
  defaultSenderName: "",
  defaultSenderEmail: "",
  webhookRetryCount: webhooks.maxRetries,
  apiKeyExpiryDays: 90,
  dkimRotationDays: 0,
  contentRetentionDays: 0,
  bounceAutoSuppress: true,
  requireVerifiedDomain: false,
  platformServer: true,
  trackOpens: false,
  trackClicks: false,
  trackingDetails: false,
  trackingTrap: false,
  createdAt: now,
  updatedAt: now,
});
