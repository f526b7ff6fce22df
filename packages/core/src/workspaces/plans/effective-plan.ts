import { ServiceError } from "../../errors.ts";
import type { Plan, PlanLimits, Repositories } from "../../ports/storage.ts";

type PlanReader = Pick<Repositories, "plans">;

/** The plan in force, and whether it was assigned or is the default. */
export interface EffectivePlan {
  /** The plan's number. */
  planId: number;
  /** The plan itself, with its limits. */
  plan: Plan;
  /** Whether it was assigned, or is the default for whoever has none. */
  source: "assigned" | "default";
}

/** With no plan at all, everything is unlimited (decisions §6). */
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

/** The plan that governs a workspace or a user: the assigned one, inactive or not, otherwise the default (service.md, Limits). */
export async function findEffectivePlan(
  storage: PlanReader,
  holder: { planId: number | undefined },
): Promise<EffectivePlan | undefined> {
  const assigned = holder.planId === undefined ? undefined : await storage.plans.find(holder.planId);
  if (assigned !== undefined) return { planId: assigned.id, plan: assigned, source: "assigned" };
  const fallback = await storage.plans.findDefault();
  return fallback === undefined ? undefined : { planId: fallback.id, plan: fallback, source: "default" };
}

/** As `findEffectivePlan`; throws `not_found` where there is neither. */
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

/** The limits on a workspace's sending and counts; 0 is unlimited. */
export async function findWorkspaceLimits(
  storage: PlanReader,
  workspace: { planId: number | undefined },
): Promise<PlanLimits> {
  return (await findEffectivePlan(storage, workspace))?.plan ?? unlimited;
}

/** The limits on a user, of whose workspaces `maxWorkspaces` speaks; 0 is unlimited. */
export async function findUserLimits(
  storage: PlanReader,
  user: { planId: number | undefined },
): Promise<PlanLimits> {
  return (await findEffectivePlan(storage, user))?.plan ?? unlimited;
}
