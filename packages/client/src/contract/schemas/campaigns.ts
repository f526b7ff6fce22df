// Printed by `npm run docs:routes` from the table of routes.
import type { EmailAttachment } from "./emails.ts";

/** `AddedRecipients` of the API. */
export interface AddedRecipients {
  /** Recipients that were added to the list. */
  added: number;
  /** Recipients that were on the list already. */
  duplicates: number;
  /** The first 1,000 lines of a file that were left out. */
  rejected: {
    /** The line's number, from 1. */
    line: number;
    /** The faulty value, as it is in the file. */
    value: string;
    /** What happened, in words for people. */
    message: string;
  }[];
  /** How many lines of a file were left out. */
  rejected_total: number;
}

/** `Campaign` of the API. */
export interface Campaign {
  /** Its id. */
  id: number;
  /** Its name. */
  name: string;
  /** Its status. */
  status: "draft" | "scheduled" | "running" | "paused" | "completed" | "cancelled";
  /** Why it is paused; null where it is not. */
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
  /** The template's name. */
  template: string | null;
  /** The version of the template; null where none was used. */
  template_version_id: string | null;
  /** The sender, such as `Example <news@example.com>`. Default: the workspace's, then the server's. */
  from: string | null;
  /** Where answers go; at most 10 addresses. */
  reply_to: string[];
  /** Further header fields, by name; those that the service or mail servers set are refused. */
  headers: Record<string, string>;
  /** Words to find the e-mail by; at most 10, of at most 64 characters. */
  tags: string[];
  /** Data of the caller's own, kept with the e-mail; at most 4 KiB as JSON. */
  metadata: Record<string, unknown>;
  /** Files that each of its e-mails has. */
  attachments: EmailAttachment[];
  /** The list that recipients may leave; null for none. */
  unsubscribe: {
    /** The list's name. */
    list: string;
  } | null;
  /** How fast it goes out at the most; null for no limit. */
  pace: {
    /** E-mails a second at the most; null for no limit. */
    per_second: number | null;
    /** E-mails an hour at the most; null for no limit. */
    per_hour: number | null;
  };
  /** How it ramps up; null for no ramp. */
  ramp: {
    /** E-mails in the first hour or day. */
    first: number;
    /** The factor by which each following hour or day allows more. */
    factor: number;
    /** The step: an hour or a day. */
    every: "hour" | "day";
  } | null;
  /** What to do with recipients without a value for a placeholder: skip them, or pause the campaign. */
  on_missing: "skip" | "stop";
  /** When it pauses by itself: shares from 0 to 1. */
  auto_pause: {
    /** Share of bounced e-mails above which it is paused, 0 to 1. */
    bounce_rate: number;
    /** Share of complaints above which it is paused, 0 to 1. */
    complaint_rate: number;
    /** E-mails to send before bounces and complaints are checked. */
    after: number;
  };
  /** Each recipient, with its state. */
  recipients: number;
  /** Its recipients so far, by outcome. */
  counts: {
    /** Recipients that were not processed yet. */
    pending: number;
    /** Recipients who have an e-mail, whatever its outcome. */
    queued: number;
    /** Recipients whose mail was taken. */
    sent: number;
    /** Recipients whose mail was given up. */
    failed: number;
    /** Recipients whose mail was refused or came back. */
    bounced: number;
    /** Recipients who complained. */
    complained: number;
    /** Whether nothing would be sent to it. */
    suppressed: number;
    /** Recipients who got no e-mail: suppressed before, or without a value for some placeholder. */
    skipped: number;
    /** Recipients who got nothing because it was cancelled. */
    cancelled: number;
    /** Recipients who left the list. */
    unsubscribed: number;
  };
  /** When it is to be sent, at most 30 days ahead. */
  scheduled_at: string | null;
  /** When the attempt began. */
  started_at: string | null;
  /** When the last mail was settled, or it was cancelled; null before. */
  completed_at: string | null;
  /** The user who made it; null once that user is gone. */
  created_by: number | null;
  /** When it was made. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
}

/** `CampaignCheck` of the API. */
export interface CampaignCheck {
  /** Each recipient, with its state. */
  recipients: number;
  /** Placeholders that have no value. */
  missing: {
    /** Its name. */
    name: string;
    /** How many recipients are affected. */
    count: number;
    /** The first addresses. */
    examples: string[];
  }[];
  /** Whether nothing would be sent to it. */
  suppressed: number;
  /** Everything that would refuse it, each by the code that the send would be refused with. */
  reasons: {
    /** A code of the authenticator app, or a recovery code. */
    code: string;
    /** What happened, in words for people. */
    message: string;
    /** How many recipients are affected. */
    count: number;
  }[];
  /**
   * Bytes of the first recipient's e-mail: rendered subject, html, text and the files, before they are encoded for
   * the way.
   */
  size: number;
  /** Lines and addresses that were left off the list, as they are no address. */
  invalid: number;
  /** Recipients that were on the list already. */
  duplicates: number;
  /** Days that the plan's limits, the pace and the ramp make of it at the least; 0 for no limit. */
  days_at_limits: number;
  /** Remarks that refuse nothing, and are worth knowing. */
  warnings: {
    /** A code of the authenticator app, or a recovery code. */
    code: string;
    /** What happened, in words for people. */
    message: string;
  }[];
}

/** `CampaignRecipient` of the API. */
export interface CampaignRecipient {
  /** An e-mail address. */
  email: string;
  /** Its name. */
  name: string;
  /** The recipient's state. */
  state: "pending" | "queued" | "skipped" | "cancelled";
  /** Why, in words. */
  reason: string;
  /** The e-mail that went out; null where there is none. */
  email_id: string | null;
}
