// Printed by `npm run docs:routes` from the table of routes.

/** `AdministeredWorkspace` of the API. */
export interface AdministeredWorkspace {
  /** Its id. */
  id: number;
  /** Its name. */
  name: string;
  /** An id of your own for it; null where it has none. */
  external_id: string | null;
  /** Whether it may send through the server's own mail server and sender. */
  is_trusted: boolean;
  /** The plan's id. */
  plan_id: number | null;
  /** When it was made. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
}

/** `EnsuredWorkspace` of the API. */
export interface EnsuredWorkspace {
  /** Its id. */
  id: number;
  /** Its name. */
  name: string;
  /** An id of your own for it; null where it has none. */
  external_id: string | null;
  /** When it was made. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
}

/** `Invitation` of the API. */
export interface Invitation {
  /** Its id. */
  id: number;
  /** The workspace's id. */
  workspace_id: number;
  /** The workspace's name; empty in lists of the workspace itself. */
  workspace: string;
  /** An e-mail address. */
  email: string;
  /** What the person may do in the workspace. */
  role: "admin" | "editor" | "viewer";
  /** Its status. */
  status: "pending" | "accepted" | "declined";
  /** When it ends. */
  expires_at: string;
  /** When it was made. */
  created_at: string;
}

/** `Joined` of the API. */
export interface Joined {
  /** What happened, in words for people. */
  message: string;
  /** The workspace's id. */
  workspace_id: number;
}

/** `Member` of the API. */
export interface Member {
  /** Its id. */
  id: number;
  /** The user's id. */
  user_id: number;
  /** Its name. */
  name: string;
  /** An e-mail address. */
  email: string;
  /** What the person may do in the workspace. */
  role: "owner" | "admin" | "editor" | "viewer";
  /** When it was made. */
  created_at: string;
}

/** `Settings` of the API. */
export interface Settings {
  /** Its id. */
  id: number;
  /** The workspace's id. */
  workspace_id: number;
  /** The time zone of displays and reports, such as `Europe/Paris`. */
  timezone: string;
  /** The sender's name where a send names none. */
  default_sender_name: string;
  /** The sender's address where a send names none; empty for the server's. */
  default_sender_email: string;
  /** Retries of a webhook's delivery after the first attempt. */
  webhook_retry_count: number;
  /** Days that a new API key lasts; 0 for ever. */
  api_key_expiry_days: number;
  /** Days after which a domain's DKIM key is rotated; 0 for never. */
  dkim_rotation_days: number;
  /** Days after which the content of settled e-mails is removed; 0 keeps it as long as the log. */
  content_retention_days: number;
  /** Whether an address that bounces or complains is suppressed. */
  bounce_auto_suppress: boolean;
  /** Whether the sender's domain must be verified. */
  require_verified_domain: boolean;
  /** Whether mail that none of the workspace's own servers takes is sent through the operator's. */
  platform_server: boolean;
  /** When it was made. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
}

/** `Workspace` of the API. */
export interface Workspace {
  /** Its id. */
  id: number;
  /** Its name. */
  name: string;
  /** What the person may do in the workspace. */
  role: "owner" | "admin" | "editor" | "viewer" | null;
  /** When it was made. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
}
