import { z } from "zod";
import { nameField } from "../../calls/input/name-field.ts";
import { orNotFound } from "../../calls/or-not-found.ts";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import type { Repositories } from "../../ports/storage.ts";
import { findLimits } from "../plans/effective-plan.ts";
import { assertWithinLimit } from "../plans/plan-limit.ts";
import { createApiKey as createKey } from "../rules/api-key.ts";
import { getWorkspaceOrThrow } from "../workspace-view.ts";
import { type ApiKeyView, viewApiKey } from "./api-key-view.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** A new API key with its text. */
export interface CreatedApiKey extends ApiKeyView {
  /** The key itself, `sk_…`. It is shown only here, and only its hash is stored. */
  key: string;
}

/**
 * Creates an API key, within the plan's `max_api_keys`. The owner's address must be verified. The key's text is
 * returned only here (decisions §8).
 */
export const createApiKey = useCase({
  access: "api_keys:write",
  refusals: ["email_not_verified", "plan_limit_reached"],
  locksWorkspace: true,
  input: z.strictObject({
    name: nameField.describe("The key's name: 1 to 100 characters on one line."),
    expiresInDays: z
      .int("must be a whole number")
      .min(0, "must be 0 (never) to 3650 days")
      .max(3650, "must be 0 (never) to 3650 days")
      .optional()
      .describe(
        "Days until the key expires, at most 3,650; 0 for never. Default: the workspace's `api_key_expiry_days`.",
      ),
  }),
  async run(
    { storage, caller, workspace, runtime, now, emit },
    { name, expiresInDays },
  ): Promise<CreatedApiKey> {
    await assertOwnerVerified(storage, workspace.id);
    const { planId } = await getWorkspaceOrThrow(storage, workspace.id);
    const { maxApiKeys } = await findLimits(storage, { planId });
    await assertWithinLimit("max_api_keys", maxApiKeys, () => storage.apiKeys.countUsable(workspace.id, now));
    const days = expiresInDays ?? (await defaultDays(storage, workspace.id));
    const { key, prefix, digest } = createKey();
    const stored = await storage.apiKeys.insert({
      id: runtime.newId(),
      workspaceId: workspace.id,
      name,
      prefix,
      digest,
      createdBy: caller.kind === "user" ? caller.userId : undefined,
      createdAt: now,
      expiresAt: days === 0 ? undefined : now + days * dayMs,
    });
    emit("apikey.created", {
      metadata: {
        api_key_id: stored.id,
        name,
        prefix,
        expires_at: stored.expiresAt === undefined ? null : new Date(stored.expiresAt).toISOString(),
      },
    });
    return { ...viewApiKey(stored), key };
  },
});

/** Refuses to create keys for a workspace whose owner can't be reached (decisions §12). */
async function assertOwnerVerified(
  storage: Pick<Repositories, "members" | "users">,
  workspaceId: number,
): Promise<void> {
  const owner = await storage.members.findOwner(workspaceId);
  // A workspace without an owner was created by the host (workspaces.ensure).
  if (owner === undefined) return;
  const user = await storage.users.find(owner.userId);
  if (user?.emailVerifiedAt !== undefined) return;
  throw new ServiceError("email_not_verified", {
    message: "The workspace's owner has to verify their e-mail address first.",
  });
}

async function defaultDays(storage: Pick<Repositories, "settings">, workspaceId: number): Promise<number> {
  const settings = orNotFound(await storage.settings.find(workspaceId));
  return settings.apiKeyExpiryDays;
}
