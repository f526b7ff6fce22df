// Printed by `npm run docs:routes` from the table of routes.

/** `Plan` of the API. */
export interface Plan {
  /** Its id. */
  id: number;
  /** Its name. */
  name: string;
  /** A few words for people. */
  description: string;
  /** Whether it governs those who are assigned none. One plan at most. */
  is_default: boolean;
  /** Whether it is in use. */
  is_active: boolean;
  /** Recipients a day (UTC); 0 for no limit. */
  daily_rate_limit: number;
  /** Recipients a clock hour; 0 for no limit. */
  hourly_rate_limit: number;
  /** Size of an attachment in MB; 0 for no limit. */
  max_attachment_size_mb: number;
  /** Recipients of a batch; 0 for no limit. */
  max_batch_size: number;
  /** API keys of a workspace; 0 for no limit. */
  max_api_keys: number;
  /** Sending domains of a workspace; 0 for no limit. */
  max_domains: number;
  /** Mail servers of a workspace; 0 for no limit. */
  max_smtp_servers: number;
  /** Workspaces of a user; 0 for no limit. */
  max_workspaces: number;
  /** Days that e-mails are kept; 0 for ever. */
  email_log_retention_days: number;
  /** When it was made. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
}

/** `PlanHolder` of the API. */
export interface PlanHolder {
  /** A workspace or a user. */
  kind: "workspace" | "user";
  /** Its id. */
  id: number;
  /** The workspace's or the user's name. */
  name: string;
  /** A user's address; null for a workspace. */
  email: string | null;
}

/** `UserPlan` of the API. */
export interface UserPlan {
  /** The user's id. */
  user_id: number;
  /** The plan's id. */
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
  /** The plan's id. */
  plan_id: number;
  /** The plan in full. */
  plan: Plan;
}

/** `WorkspacePlan` of the API. */
export interface WorkspacePlan {
  /** The workspace's id. */
  workspace_id: number;
  /** The plan's id. */
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
  /** The plan's id. */
  plan_id: number;
  /** The plan in full. */
  plan: Plan;
}
