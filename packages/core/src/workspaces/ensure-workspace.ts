import { z } from "zod";
import { callerKey } from "../calls/caller-key.ts";
import { externalId } from "../calls/external-id.ts";
import { workspaceName } from "../calls/input/name-field.ts";
import { orNotFound } from "../calls/or-not-found.ts";
import { useCase, type WriteContext } from "../calls/use-case.ts";
import { ServiceError } from "../errors.ts";
import { assertVerified } from "../identity/users/assert-verified.ts";
import type { Workspace } from "../ports/storage.ts";
import { assertRoomFor, defaultSettings } from "./create-workspace.ts";
import { viewWorkspace, type WorkspaceView } from "./workspace-view.ts";

/**
 * Creates or updates the workspace with the host's own id: created if there is none, renamed if its name differs. It is
 * trusted, and needs no owner: without one, only the host and its API keys act on it. Repeating the call is safe, and
 * so are concurrent calls.
 */
export const ensureWorkspace = useCase({
  access: "administrator",
  refusals: ["email_not_verified", "plan_limit_reached"],
  input: z.strictObject({
    externalId,
    name: workspaceName.describe("The workspace's name: at most 100 characters on one line, without a link."),
    userId: z
      .int("must be a user's number")
      .positive("must be a user's number")
      .optional()
      .describe("The number of the user who becomes the owner, if the workspace has none."),
  }),
  // Hosts call it at each start or login: one that changes nothing needs no transaction.
  repeats: {
    key: ({ caller }, { externalId: given, name, userId }) =>
      JSON.stringify([callerKey(caller), given, name, userId]),
    async find({ storage }, { externalId: given, name, userId }): Promise<WorkspaceView | undefined> {
      const there = await storage.workspaces.findByExternalId(given);
      if (there === undefined || there.name !== name) return undefined;
      const isOwned = userId === undefined || (await storage.members.findOwner(there.id)) !== undefined;
      return isOwned ? viewWorkspace(there, undefined) : undefined;
    },
  },
  async run(context, { externalId: given, name, userId }): Promise<WorkspaceView> {
    const { workspaces } = context.storage;
    const there = await workspaces.findByExternalId(given);
    const workspace = there === undefined ? await make(context, { externalId: given, name }) : there;
    // A concurrent call created it first.
    const found = workspace ?? (await workspaces.findByExternalId(given));
    if (found === undefined)
      throw new ServiceError("not_found", { message: "The workspace was just deleted." });
    const named = found.name === name ? found : await rename(context, found, name);
    if (userId !== undefined) await giveOwner(context, named.id, userId);
    return viewWorkspace(named, undefined);
  },
});

async function make(
  { storage, config, now, emit }: WriteContext,
  given: { externalId: string; name: string },
): Promise<Workspace | undefined> {
  const workspace = await storage.workspaces.insertUnlessThere({ ...given, createdAt: now });
  if (workspace === undefined) return undefined;
  await storage.settings.insert(defaultSettings(workspace.id, config, now));
  emit("workspace.created", { workspaceId: workspace.id, metadata: { name: given.name } });
  return workspace;
}

async function rename(
  { storage, now, emit }: WriteContext,
  { id, name: from }: Workspace,
  name: string,
): Promise<Workspace> {
  const renamed = orNotFound(await storage.workspaces.update(id, { name, updatedAt: now }));
  emit("workspace.updated", { workspaceId: id, metadata: { changes: { name: { from, to: name } } } });
  return renamed;
}

async function giveOwner({ storage, now, emit }: WriteContext, id: number, userId: number): Promise<void> {
  if ((await storage.members.findOwner(id)) !== undefined) return;
  await storage.workspaces.lock(id);
  if ((await storage.members.findOwner(id)) !== undefined) return;
  const user = orNotFound(await storage.users.lock(userId), `user ${userId}`);
  assertVerified(user);
  await assertRoomFor(storage, user);
  const before = await storage.members.roleOf(id, userId);
  if (!(await storage.members.setRole(id, userId, "owner")))
    await storage.members.insert({ workspaceId: id, userId, role: "owner", createdAt: now });
  if (before === undefined)
    emit("member.added", { workspaceId: id, metadata: { user_id: userId, role: "owner" } });
  else
    emit("member.role_updated", {
      workspaceId: id,
      metadata: { user_id: userId, from: before, to: "owner" },
    });
}
