// Printed by `npm run docs:routes` from the table of routes.

/** `AdministeredWorkspace` of the API. */
export interface AdministeredWorkspace {
  /** Id. */
  id: number;
  /** Name. */
  name: string;
  /** Your own id for it; null for none. */
  external_id: string | null;
  /** Whether it may send through the server's own mail server and default sender. */
  is_trusted: boolean;
  /** Id of the plan. */
  plan_id: number | null;
  /** Time of creation. */
  created_at: string;
  /** Time of the last change. */
  updated_at: string;
}

/** `EnsuredWorkspace` of the API. */
export interface EnsuredWorkspace {
  /** Id. */
  id: number;
  /** Name. */
  name: string;
  /** Your own id for it; null for none. */
  external_id: string | null;
  /** Time of creation. */
  created_at: string;
  /** Time of the last change. */
  updated_at: string;
}

/** `Invitation` of the API. */
export interface Invitation {
  /** Id. */
  id: number;
  /** The workspace's id. */
  workspace_id: number;
  /** Name of the workspace; empty in lists of the workspace itself. */
  workspace: string;
  /** An e-mail address. */
  email: string;
  /** Role in the workspace. */
  role: "admin" | "editor" | "viewer";
  /** Status. */
  status: "pending" | "accepted" | "declined";
  /** Time of expiry. */
  expires_at: string;
  /** Time of creation. */
  created_at: string;
}

/** `Joined` of the API. */
export interface Joined {
  /** Description of what happened, for people. */
  message: string;
  /** The workspace's id. */
  workspace_id: number;
}

/** `Member` of the API. */
export interface Member {
  /** Id. */
  id: number;
  /** The user's id. */
  user_id: number;
  /** Name. */
  name: string;
  /** An e-mail address. */
  email: string;
  /** Role in the workspace. */
  role: "owner" | "admin" | "editor" | "viewer";
  /** Time of creation. */
  created_at: string;
}

/** `Settings` of the API. */
export interface Settings {
  /** Id. */
  id: number;
  /** The workspace's id. */
  workspace_id: number;
  /** Time zone of displays and reports, such as `Europe/Paris`. */
  timezone: string;
  /** Sender's name for sends that name none. */
  default_sender_name: string;
  /** Sender's address for sends that name none; empty for the server's. */
  default_sender_email: string;
  /** Number of retries of a webhook delivery after the first attempt. */
  webhook_retry_count: number;
  /** Lifetime of new API keys in days; 0 for no expiry. */
  api_key_expiry_days: number;
  /** Days after which a domain's DKIM key is rotated; 0 for never. */
  dkim_rotation_days: number;
  /** Days after which the content of settled e-mails is removed; 0 to keep it as long as the log. */
  content_retention_days: number;
  /** Whether addresses that bounce or complain are suppressed. */
  bounce_auto_suppress: boolean;
  /** Whether the sender's domain must be verified. */
  require_verified_domain: boolean;
  /** Whether mail that none of the workspace's own servers takes is sent through the operator's. */
  platform_server: boolean;
  /** Whether the opening of e-mails is recorded. */
  track_opens: boolean;
  /** Whether clicks on links in e-mails are recorded. */
  track_clicks: boolean;
  /** Whether the full address and user agent of the last opening and click are stored. */
  tracking_details: boolean;
  /** Whether e-mails with tracked links contain a hidden one that only machines follow. */
  tracking_trap: boolean;
  /** Time of creation. */
  created_at: string;
  /** Time of the last change. */
  updated_at: string;
}

/** `Workspace` of the API. */
export interface Workspace {
  /** Id. */
  id: number;
  /** Name. */
  name: string;
  /** Role in the workspace. */
  role: "owner" | "admin" | "editor" | "viewer" | null;
  /** Time of creation. */
  created_at: string;
  /** Time of the last change. */
  updated_at: string;
}
