import type { Generated } from "kysely";
import type { Id } from "./columns.ts";

export interface CampaignsTable {
  id: Id;
  workspace_id: number;
  name: string;
  status: string;
  paused_reason: string | null;
  template: string | null;
  template_version_id: string | null;
  content_id: number | null;
  stylesheet_set_id: number | null;
  attachment_set_id: number | null;
  /** JSON of a mailbox. */
  from_mailbox: string | null;
  /** JSON of `CampaignPlan`. */
  plan: string;
  recipients: Generated<number>;
  cursor_position: Generated<number>;
  scheduled_at: number | null;
  started_at: number | null;
  completed_at: number | null;
  created_by: number | null;
  created_at: number;
  updated_at: number;
  /** When a feeder is to look at it; `null` for never. */
  look_at: number | null;
  /** How far retention got in removing what it said, and when all was. */
  forgotten_position: Generated<number>;
  forgotten_at: Generated<number | null>;
  next_slot_at: Generated<number>;
  paused_ms: Generated<number>;
  /** JSON of what was counted when its people let it go on. */
  judged_from: string | null;
  feeder_worker: string | null;
  feeder_until: Generated<number>;
  feeder_fence: Generated<number>;
}

export interface CampaignRecipientsTable {
  campaign_id: number;
  position: number;
  name: string;
  address: string;
  address_key: string;
  /** JSON. */
  template_data: string;
  state: string;
  reason: Generated<string>;
  email_id: string | null;
}

export interface CampaignCountsTable {
  campaign_id: number;
  counter: string;
  shard: number;
  total: number;
}

export interface CampaignTables {
  campaigns: CampaignsTable;
  campaign_recipients: CampaignRecipientsTable;
  campaign_counts: CampaignCountsTable;
}
