import type { OutputOf } from "@posthorn/core";
import type { useCases } from "@posthorn/core/internal";
import { z } from "zod";
import { wire } from "../route.ts";
import { integer, named, time, timestamp } from "./schemas.ts";

type Core = typeof useCases;
type Plan = OutputOf<Core["plans"]["get"]>;

/** `Plan` (service.md, Plan). */
export const planWire = wire(
  named(
    "Plan",
    z.object({
      id: integer,
      name: z.string(),
      description: z.string(),
      is_default: z.boolean(),
      is_active: z.boolean(),
      daily_rate_limit: integer,
      hourly_rate_limit: integer,
      max_attachment_size_mb: integer,
      max_batch_size: integer,
      max_api_keys: integer,
      max_domains: integer,
      max_smtp_servers: integer,
      max_workspaces: integer,
      email_log_retention_days: integer,
      created_at: timestamp,
      updated_at: timestamp,
    }),
  ),
  (plan: Plan) => ({
    id: plan.id,
    name: plan.name,
    description: plan.description,
    is_default: plan.isDefault,
    is_active: plan.isActive,
    daily_rate_limit: plan.dailyRateLimit,
    hourly_rate_limit: plan.hourlyRateLimit,
    max_attachment_size_mb: plan.maxAttachmentSizeMb,
    max_batch_size: plan.maxBatchSize,
    max_api_keys: plan.maxApiKeys,
    max_domains: plan.maxDomains,
    max_smtp_servers: plan.maxSmtpServers,
    max_workspaces: plan.maxWorkspaces,
    email_log_retention_days: plan.emailLogRetentionDays,
    created_at: time(plan.createdAt),
    updated_at: time(plan.updatedAt),
  }),
);

const plan = planWire.schema;
const source = z.enum(["assigned", "default"]);

/** A workspace or user that a plan is assigned to. */
export const planHolderWire = wire(
  named(
    "PlanHolder",
    z.object({
      kind: z.enum(["workspace", "user"]),
      id: integer,
      name: z.string(),
      email: z.string().nullable(),
    }),
  ),
  ({ kind, id, name, email }: OutputOf<Core["plans"]["listHolders"]>["items"][number]) => ({
    kind,
    id,
    name,
    email: email ?? null,
  }),
);

/** Plan assignment of a workspace (decisions §6). */
export const workspacePlanWire = wire(
  named("WorkspacePlanAssignment", z.object({ workspace_id: integer, plan_id: integer, plan })),
  (assigned: OutputOf<Core["plans"]["assignToWorkspace"]>) => ({
    workspace_id: assigned.workspaceId,
    plan_id: assigned.planId,
    plan: planWire.from(assigned.plan),
  }),
);

/** Plan assignment of a user (decisions §6). */
export const userPlanWire = wire(
  named("UserPlanAssignment", z.object({ user_id: integer, plan_id: integer, plan })),
  (assigned: OutputOf<Core["plans"]["assignToUser"]>) => ({
    user_id: assigned.userId,
    plan_id: assigned.planId,
    plan: planWire.from(assigned.plan),
  }),
);

/** The plan that applies to a workspace, and its source. */
export const workspacePlanInForceWire = wire(
  named("WorkspacePlan", z.object({ workspace_id: integer, plan_id: integer, source, plan })),
  (found: OutputOf<Core["plans"]["getForWorkspace"]>) => ({
    workspace_id: found.workspaceId,
    plan_id: found.planId,
    source: found.source,
    plan: planWire.from(found.plan),
  }),
);

/** The plan that applies to a user, and its source. */
export const userPlanInForceWire = wire(
  named("UserPlan", z.object({ user_id: integer, plan_id: integer, source, plan })),
  (found: OutputOf<Core["plans"]["getForUser"]>) => ({
    user_id: found.userId,
    plan_id: found.planId,
    source: found.source,
    plan: planWire.from(found.plan),
  }),
);
