import type { Generated } from "kysely";
import type { Id } from "./columns.ts";

export interface CampaignsTable {
  id: Id;
  workspace_id: number;
  name: string;
  template: string;
  template_version_id: string | null;
  from_text: string | null;
  status: string;
  recipients: Generated<number>;
  settled: Generated<number>;
  created_by: number | null;
  scheduled_at: number | null;
  started_at: number | null;
  completed_at: number | null;
  created_at: number;
  updated_at: number;
}

export interface CampaignRecipientsTable {
  campaign_id: number;
  position: number;
  address: string;
  /** JSON. */
  template_data: string;
  email_id: string | null;
  state: string;
}

export interface CampaignTables {
  campaigns: CampaignsTable;
  campaign_recipients: CampaignRecipientsTable;
}
