// Printed by `npm run docs:routes` from the table of routes.

/** `Plan` of the API. */
export interface Plan {
  /** Id. */
  id: number;
  /** Name. */
  name: string;
  /** A description for people. */
  description: string;
  /** Whether it applies to all that have none assigned. At most one plan is the default. */
  is_default: boolean;
  /** Whether it is in use. */
  is_active: boolean;
  /** Maximum number of recipients per day (UTC); 0 for no limit. */
  daily_rate_limit: number;
  /** Maximum number of recipients per clock hour; 0 for no limit. */
  hourly_rate_limit: number;
  /** Maximum size of an attachment in MB; 0 for no limit. */
  max_attachment_size_mb: number;
  /** Maximum number of recipients in a batch; 0 for no limit. */
  max_batch_size: number;
  /** Maximum number of API keys in a workspace; 0 for no limit. */
  max_api_keys: number;
  /** Maximum number of sending domains in a workspace; 0 for no limit. */
  max_domains: number;
  /** Maximum number of mail servers in a workspace; 0 for no limit. */
  max_smtp_servers: number;
  /** Maximum number of workspaces that a user may own; 0 for no limit. */
  max_workspaces: number;
  /** Days for which e-mails are kept; 0 for ever. */
  email_log_retention_days: number;
  /** Time of creation. */
  created_at: string;
  /** Time of the last change. */
  updated_at: string;
}

/** `PlanHolder` of the API. */
export interface PlanHolder {
  /** Whether it is a workspace or a user. */
  kind: "workspace" | "user";
  /** Id. */
  id: number;
  /** Name of the workspace or user. */
  name: string;
  /** Address of a user; null for a workspace. */
  email: string | null;
}

/** `UserPlan` of the API. */
export interface UserPlan {
  /** The user's id. */
  user_id: number;
  /** Id of the plan. */
  plan_id: number;
  /** Whether it was assigned, or is the default. */
  source: "assigned" | "default";
  /** The plan in full. */
  plan: Plan;
}

/** `UserPlanAssignment` of the API. */
export interface UserPlanAssignment {
  /** The user's id. */
  user_id: number;
  /** Id of the plan. */
  plan_id: number;
  /** The plan in full. */
  plan: Plan;
}

/** `WorkspacePlan` of the API. */
export interface WorkspacePlan {
  /** The workspace's id. */
  workspace_id: number;
  /** Id of the plan. */
  plan_id: number;
  /** Whether it was assigned, or is the default. */
  source: "assigned" | "default";
  /** The plan in full. */
  plan: Plan;
}

/** `WorkspacePlanAssignment` of the API. */
export interface WorkspacePlanAssignment {
  /** The workspace's id. */
  workspace_id: number;
  /** Id of the plan. */
  plan_id: number;
  /** The plan in full. */
  plan: Plan;
}
