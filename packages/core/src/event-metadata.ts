import type { Role, SuppressionOrigin } from "./ports/storage.ts";

/** Types of metadata values by key. The type of a key that is not listed depends on the event. */
export interface MetadataTypes {
  accepted: number;
  /** Number of recipients that were added to a list. */
  added: number;
  api_key_id: string;
  attachment_id: string;
  attempt: number;
  by_administrator: boolean;
  category: string;
  /** The values before and after of each field that changed, of those whose values are told. */
  changes: Record<string, { from: unknown; to: unknown }>;
  class: string;
  campaign_id: number;
  campaigns: number;
  count: number;
  delivery_id: string;
  domain_id: string;
  /** Number of e-mails that were cancelled before the delivery went on. */
  dropped: number;
  email: string;
  email_id: string;
  emails: number;
  endpoint_id: string;
  /** The replacement of an erased address. */
  erased_as: string;
  events: string[];
  external_id: string;
  expires_at: string | null;
  failed: number;
  fields: string[];
  filters: string[];
  force: boolean;
  /** The plan whose place as the default another took; null if none did. */
  former_default: number | null;
  host: string;
  id: number;
  invitation_id: number;
  is_admin: boolean;
  /** A list's name. */
  list: string;
  name: string;
  /** Origin of a suppression. */
  origin: SuppressionOrigin;
  ok: boolean;
  plan_id: number;
  prefix: string;
  provider: string;
  reason: string;
  record: string;
  recipient: string;
  recipients: number;
  reply: string;
  role: Role;
  route: string;
  /** `*`, or a list's name. */
  scope: string;
  session_id: string;
  size: number;
  source: string;
  smtp_server_id: string;
  stylesheet_id: string;
  /** A template's name; empty for an e-mail without one. */
  template: string;
  template_id: string;
  test: boolean;
  two_factor: boolean;
  unassigned: { workspaces: number; users: number };
  url: string;
  user_id: number;
  version_id: string;
  version_number: number;
  webhook_id: string;
}
