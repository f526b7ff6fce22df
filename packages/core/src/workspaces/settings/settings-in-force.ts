import type { Repositories, Settings } from "../../ports/storage.ts";
import { findLimits } from "../plans/effective-plan.ts";

/** Returns the days for which the workspace's plan keeps the log; 0 for ever. */
export async function findLogDays(
  storage: Pick<Repositories, "plans" | "workspaces">,
  workspaceId: number,
): Promise<number> {
  const workspace = await storage.workspaces.find(workspaceId);
  return (await findLimits(storage, { planId: workspace?.planId })).emailLogRetentionDays;
}

/**
 * Returns stored settings as they are in force: content goes with its line of the log at the latest (platform.md P12),
 * also under a plan that keeps the log for less than was set before.
 */
export async function settingsInForce(
  storage: Pick<Repositories, "plans" | "workspaces">,
  stored: Settings,
): Promise<Settings> {
  if (stored.contentRetentionDays === 0) return stored;
  const most = await findLogDays(storage, stored.workspaceId);
  if (most === 0 || stored.contentRetentionDays <= most) return stored;
  return { ...stored, contentRetentionDays: most };
}
