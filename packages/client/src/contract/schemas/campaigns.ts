// Printed by `npm run docs:routes` from the table of routes.
import type { EmailAttachment } from "./emails.ts";

/** `AddedRecipients` of the API. */
export interface AddedRecipients {
  /** Number of recipients added to the list. */
  added: number;
  /** Recipients that were already on the list. */
  duplicates: number;
  /** The first 1,000 rejected lines of a file. */
  rejected: {
    /** Line number, from 1. */
    line: number;
    /** The invalid value, as in the file. */
    value: string;
    /** Description of what happened, for people. */
    message: string;
  }[];
  /** Number of rejected lines of a file. */
  rejected_total: number;
}

/** `Campaign` of the API. */
export interface Campaign {
  /** Id. */
  id: number;
  /** Name. */
  name: string;
  /** Status. */
  status: "draft" | "scheduled" | "running" | "paused" | "completed" | "cancelled";
  /** Reason for the pause; null if it is not paused. */
  paused_reason:
    | "user"
    | "bounce_rate"
    | "complaint_rate"
    | "domain_failed"
    | "server_down"
    | "missed_schedule"
    | "restored_copy"
    | "template_data_missing"
    | null;
  /** Name of the template. */
  template: string | null;
  /** Id of the template's version; null without a template. */
  template_version_id: string | null;
  /** Sender, such as `Example <news@example.com>`. Default: the workspace's, then the server's. */
  from: string | null;
  /** Addresses for replies; at most 10. */
  reply_to: string[];
  /** Additional header fields by name; those that the service or mail servers set are refused. */
  headers: Record<string, string>;
  /** Tags for finding the e-mail; at most 10, of at most 64 characters. */
  tags: string[];
  /** The caller's own data, stored with the e-mail; at most 4 KiB as JSON. */
  metadata: Record<string, unknown>;
  /** Files attached to each of its e-mails. */
  attachments: EmailAttachment[];
  /** List that recipients can unsubscribe from; null for none. */
  unsubscribe: {
    /** Name of the list. */
    list: string;
  } | null;
  /** What is recorded about its e-mails. */
  tracking: {
    /** Whether openings are recorded; null for the workspace's setting. */
    opens: boolean | null;
    /** Whether clicks on links are recorded; null for the workspace's setting. */
    clicks: boolean | null;
  };
  /** Maximum sending rate; null for no limit. */
  pace: {
    /** Maximum number of e-mails per second; null for no limit. */
    per_second: number | null;
    /** Maximum number of e-mails per hour; null for no limit. */
    per_hour: number | null;
  };
  /** Gradual increase of the rate; null for none. */
  ramp: {
    /** Number of e-mails in the first hour or day. */
    first: number;
    /** Factor by which each following step allows more. */
    factor: number;
    /** Step of the ramp: an hour or a day. */
    every: "hour" | "day";
  } | null;
  /** What happens to recipients without a value for a placeholder: they are skipped, or the campaign pauses. */
  on_missing: "skip" | "stop";
  /** Rates, from 0 to 1, above which the campaign pauses itself. */
  auto_pause: {
    /** Share of bounced e-mails above which the campaign pauses, 0 to 1. */
    bounce_rate: number;
    /** Share of complaints above which the campaign pauses, 0 to 1. */
    complaint_rate: number;
    /** Number of e-mails to send before bounce and complaint rates are checked. */
    after: number;
  };
  /** Number of recipients on the list. */
  recipients: number;
  /** Recipients so far, by outcome. */
  counts: {
    /** Recipients not processed yet. */
    pending: number;
    /** Recipients who have an e-mail, whatever its outcome. */
    queued: number;
    /** Recipients whose mail was accepted. */
    sent: number;
    /** Recipients whose mail failed for good. */
    failed: number;
    /** Recipients whose mail was refused or returned. */
    bounced: number;
    /** Recipients who complained. */
    complained: number;
    /** Recipients who got no e-mail because they are suppressed. */
    suppressed: number;
    /** Recipients who got no e-mail: already suppressed, or without a value for a placeholder. */
    skipped: number;
    /** Recipients whose mail was cancelled. */
    cancelled: number;
    /** Recipients who opened their mail, as far as the service saw a person do it. */
    opened: number;
    /** Recipients who followed a link of their mail, as far as the service saw a person do it. */
    clicked: number;
    /** Recipients who unsubscribed from the list. */
    unsubscribed: number;
  };
  /** While it waits for the plan's hourly or daily limit: time at which that has room again; null otherwise. */
  limited_until: string | null;
  /** Time at which it begins once it is started; null to begin at once. */
  scheduled_at: string | null;
  /** Time at which it was started; null before. */
  started_at: string | null;
  /** Time at which the last e-mail was settled or the campaign was cancelled; null before. */
  completed_at: string | null;
  /** Id of the user who created it; null once that user is deleted. */
  created_by: number | null;
  /** Time of creation. */
  created_at: string;
  /** Time of the last change. */
  updated_at: string;
}

/** `CampaignCheck` of the API. */
export interface CampaignCheck {
  /** Number of recipients on the list. */
  recipients: number;
  /** Placeholders without a value. */
  missing: {
    /** Name of the placeholder. */
    name: string;
    /** Number of affected recipients. */
    count: number;
    /** The first affected addresses. */
    examples: string[];
  }[];
  /** Recipients who are suppressed, and would be skipped. */
  suppressed: number;
  /** All reasons to refuse it, each with the code of the refusal. */
  reasons: {
    /** Stable code. */
    code: string;
    /** Description of what happened, for people. */
    message: string;
    /** Number of affected recipients. */
    count: number;
  }[];
  /** Bytes of the first recipient's e-mail: rendered subject, html, text and files, before transfer encoding. */
  size: number;
  /** Lines and addresses left off the list because they are not valid. */
  invalid: number;
  /** Recipients that were already on the list. */
  duplicates: number;
  /** Minimum number of days that sending takes with the plan's limits, the pace and the ramp; 0 without a limit. */
  days_at_limits: number;
  /** Remarks that do not prevent the send. */
  warnings: {
    /** Stable code. */
    code: string;
    /** Description of what happened, for people. */
    message: string;
  }[];
}

/** `CampaignRecipient` of the API. */
export interface CampaignRecipient {
  /** The recipient's address. */
  email: string;
  /** The recipient's name; empty if none was given. */
  name: string;
  /** State of the recipient. The e-mail of a `queued` one is on its way, that of a `settled` one has its outcome. */
  state: "pending" | "queued" | "settled" | "skipped" | "cancelled";
  /** Why the recipient was skipped, as a stable code; empty otherwise. */
  reason: string;
  /** Id of the recipient's e-mail; null for none. */
  email_id: string | null;
  /** Outcome of the recipient's e-mail; null before, and once the e-mail is removed from the log. */
  email_status: "sent" | "failed" | "suppressed" | "cancelled" | null;
}
