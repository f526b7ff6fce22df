import { ServiceError } from "../../errors.ts";
import type { Plan, PlanLimits, Repositories } from "../../ports/storage.ts";

type PlanReader = Pick<Repositories, "plans">;

/** The plan that applies to a workspace or a user, and whether it is assigned or the default. */
export interface EffectivePlan {
  /** The plan's number. */
  planId: number;
  /** The plan with its limits. */
  plan: Plan;
  /** Whether the plan is assigned to it, or applies as the default. */
  source: "assigned" | "default";
}

/** Limits without any plan: everything is unlimited (decisions §6). */
export const unlimited: PlanLimits = {
  dailyRateLimit: 0,
  hourlyRateLimit: 0,
  maxAttachmentSizeMb: 0,
  maxBatchSize: 0,
  maxApiKeys: 0,
  maxDomains: 0,
  maxSmtpServers: 0,
  maxWorkspaces: 0,
  emailLogRetentionDays: 0,
};

/**
 * Returns the plan that applies to a workspace or a user: the assigned one, even if inactive, otherwise the default
 * (service.md, Limits).
 */
async function findEffectivePlan(
  storage: PlanReader,
  holder: { planId: number | undefined },
): Promise<EffectivePlan | undefined> {
  const assigned = holder.planId === undefined ? undefined : await storage.plans.find(holder.planId);
  if (assigned !== undefined) return { planId: assigned.id, plan: assigned, source: "assigned" };
  const fallback = await storage.plans.findDefault();
  return fallback === undefined ? undefined : { planId: fallback.id, plan: fallback, source: "default" };
}

/** Returns the same as `findEffectivePlan`. Throws `not_found` if neither plan exists. */
export async function getEffectivePlan(
  storage: PlanReader,
  holder: { planId: number | undefined },
): Promise<EffectivePlan> {
  const effective = await findEffectivePlan(storage, holder);
  if (effective === undefined) {
    throw new ServiceError("not_found", {
      message: "No plan is assigned and there is no default plan; everything is unlimited.",
    });
  }
  return effective;
}

/** Returns the limits of a workspace or a user, of which only `maxWorkspaces` counts for the latter; 0 is unlimited. */
export async function findLimits(
  storage: PlanReader,
  holder: { planId: number | undefined },
): Promise<PlanLimits> {
  return (await findEffectivePlan(storage, holder))?.plan ?? unlimited;
}
