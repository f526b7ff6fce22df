import type { Id } from "./columns.ts";

/** What was reported of a recipient: of each kind once. */
export interface RecipientReportsTable {
  email_id: number;
  position: number;
  kind: string;
  bounce_class: string;
  category: string;
  enhanced_code: string | null;
  reply: string;
  source: string;
  at: number;
}

/** On which days an address bounced in a way that counts only when it comes again. */
export interface BounceDaysTable {
  workspace_id: number;
  address_key: string;
  category: string;
  /** Days since the epoch. */
  day: number;
  first_at: number;
}

/** Messages that came back, kept for a few days. */
export interface InboundReportsTable {
  id: Id;
  uuid: string;
  workspace_id: number;
  kind: string;
  source: string;
  /** SHA-256 of the message. */
  digest: string;
  /** The e-mail's uuid. */
  email_id: string | null;
  /** JSON of `InboundEffect[]`. */
  effects: string;
  /** Base64. */
  raw: string;
  created_at: number;
}

/** Places that relays' webhooks come to. */
export interface InboundEndpointsTable {
  id: Id;
  uuid: string;
  workspace_id: number;
  provider: string;
  /** SHA-256 of the secret part of its path. */
  token_digest: string;
  /** Sealed; `null` where the provider's own certificate is asked. */
  secret: string | null;
  created_at: number;
}

export interface ReportTables {
  inbound_endpoints: InboundEndpointsTable;
  recipient_reports: RecipientReportsTable;
  bounce_days: BounceDaysTable;
  inbound_reports: InboundReportsTable;
}
