// Printed by `npm run docs:routes` from the table of routes.

/** `AddedRecipients` of the API. */
export interface AddedRecipients {
  /** Recipients that were put on the list. */
  added: number;
  /** Recipients that were on the list already. */
  duplicates: number;
  /** The first 1,000 lines of a file that were left out. */
  rejected: {
    /** The line's number, from 1. */
    line: number;
    /** What is wrong, as it stands in the file. */
    value: string;
    /** What happened, in words for people. */
    message: string;
  }[];
  /** How many lines of a file were left out. */
  rejected_total: number;
}

/** `AdministeredUser` of the API. */
export interface AdministeredUser {
  /** Its id. */
  id: number;
  /** Its name. */
  name: string;
  /** An e-mail address. */
  email: string;
  /** Whether the user has shown that the address is theirs. */
  email_verified: boolean;
  /** Whether logins ask for a code. */
  two_factor_enabled: boolean;
  /** Whether the user administers the platform. */
  is_admin: boolean;
  /** When it was made. */
  created_at: string;
  /** An id of your own for it; null where it has none. */
  external_id: string | null;
}

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

/** `ApiKey` of the API. */
export interface ApiKey {
  /** Its id. */
  id: string;
  /** Its name. */
  name: string;
  /** The key's first characters, to tell it by. */
  prefix: string;
  /** The user who made it; null once that user is gone. */
  created_by: number | null;
  /** When it was made. */
  created_at: string;
  /** When it ends. */
  expires_at: string | null;
  /** When it was last used, within a minute; null for never. */
  last_used_at: string | null;
}

/** `ApiKeyWithText` of the API. */
export interface ApiKeyWithText {
  /** Its id. */
  id: string;
  /** Its name. */
  name: string;
  /** The key's first characters, to tell it by. */
  prefix: string;
  /** The user who made it; null once that user is gone. */
  created_by: number | null;
  /** When it was made. */
  created_at: string;
  /** When it ends. */
  expires_at: string | null;
  /** When it was last used, within a minute; null for never. */
  last_used_at: string | null;
  /** The key itself. Shown only here. */
  key: string;
}

/** `Attachment` of the API. */
export interface Attachment {
  /** Its id. */
  id: string;
  /** The name that it is sent by. */
  filename: string;
  /** Its media type, such as `application/pdf`. */
  content_type: string;
  /** Bytes. */
  size: number;
  /** What it is, as `sha256:` and 64 hex digits: equal files have the same. */
  digest: string;
  /** When it was made. */
  created_at: string;
  /** When no send can refer to it any more; each send prolongs it. */
  expires_at: string;
}

/** `Batch` of the API. */
export interface Batch {
  /** Its id. */
  id: string;
  /** When it was made. */
  created_at: string;
  /** What became of its e-mails so far, as far as the log has them. */
  counts: {
    /** E-mails that were asked for. */
    total: number;
    /** E-mails that wait, those for a later time included. */
    queued: number;
    /** E-mails in the hands of a worker. */
    sending: number;
    /** E-mails that some recipient's server accepted. */
    sent: number;
    /** E-mails that nobody's server accepted. */
    failed: number;
    /** E-mails of which a recipient's mail came back; they are counted as sent or failed, too. */
    bounced: number;
    /** E-mails that were for nobody, as their recipients are suppressed. */
    suppressed: number;
    /** E-mails that were taken back. */
    cancelled: number;
    /** What was asked for and is no e-mail. */
    skipped: number;
  };
}

/** `BatchDryRun` of the API. */
export interface BatchDryRun {
  /** Whether it would be accepted, and anything sent. */
  would_send: boolean;
  /** All that stands against it, each by the code that the send would be refused with. */
  reasons: {
    /** A code of the authenticator app, or a recovery code. */
    code: string;
    /** What happened, in words for people. */
    message: string;
    /** What there is to know about it, by name; null for nothing. */
    details: unknown;
  }[];
  /** What stands against single e-mails: every reason of each. */
  faults: SkippedEmail[];
  /** E-mails, by what would become of them. */
  counts: {
    /** E-mails that were asked for. */
    total: number;
    /** E-mails that would be sent to somebody. */
    accepted: number;
    /** E-mails whose recipients are suppressed. */
    suppressed: number;
  };
  /** The plan's limits, and what is used of them before this send. */
  quota: {
    /** The current clock hour, UTC. */
    hour: {
      /** Recipients counted so far. */
      used: number;
      /** Recipients that the plan allows; 0 for any number. */
      limit: number;
    };
    /** The current day, UTC. */
    day: {
      /** Recipients counted so far. */
      used: number;
      /** Recipients that the plan allows; 0 for any number. */
      limit: number;
    };
  };
  /** Of the largest e-mail that was rendered: bytes of subject, html, text and files. */
  size_bytes: number;
  /** What stands in nobody's way, and is worth knowing. */
  warnings: {
    /** A code of the authenticator app, or a recovery code. */
    code: string;
    /** What happened, in words for people. */
    message: string;
    /** What there is to know about it, by name; null for nothing. */
    details: unknown;
  }[];
}

/** `CalendarObject` of the API. */
export interface CalendarObject {
  /** What it asks for, such as REQUEST. */
  method: string;
  /** From BEGIN:VCALENDAR to END:VCALENDAR. */
  content: string;
}

/** `Campaign` of the API. */
export interface Campaign {
  /** Its id. */
  id: number;
  /** Its name. */
  name: string;
  /** Where it stands. */
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
  /** How it begins slowly; null where it does not. */
  ramp: {
    /** E-mails in the first hour or day. */
    first: number;
    /** By how much each following hour or day lets more through. */
    factor: number;
    /** What is meant by one: an hour or a day. */
    every: "hour" | "day";
  } | null;
  /** What becomes of recipients without a value for some placeholder: they are skipped, or it is paused. */
  on_missing: "skip" | "stop";
  /** When it pauses by itself: shares from 0 to 1. */
  auto_pause: {
    /** Share of bounced e-mails above which it is paused, 0 to 1. */
    bounce_rate: number;
    /** Share of complaints above which it is paused, 0 to 1. */
    complaint_rate: number;
    /** So many e-mails are sent before it is looked at. */
    after: number;
  };
  /** Each recipient, and what became of it. */
  recipients: number;
  /** What became of its recipients so far. */
  counts: {
    /** Recipients that were not gone through yet. */
    pending: number;
    /** Recipients who have an e-mail, whatever became of it. */
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
  /** Each recipient, and what became of it. */
  recipients: number;
  /** Placeholders that have no value. */
  missing: {
    /** Its name. */
    name: string;
    /** At how many recipients. */
    count: number;
    /** The first addresses. */
    examples: string[];
  }[];
  /** Whether nothing would be sent to it. */
  suppressed: number;
  /** All that stands against it, each by the code that the send would be refused with. */
  reasons: {
    /** A code of the authenticator app, or a recovery code. */
    code: string;
    /** What happened, in words for people. */
    message: string;
    /** At how many recipients. */
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
  /** What stands in nobody's way, and is worth knowing. */
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
  /** What became of the recipient. */
  state: "pending" | "queued" | "skipped" | "cancelled";
  /** Why, in words. */
  reason: string;
  /** The e-mail that went out; null where there is none. */
  email_id: string | null;
}

/** `CancelledBatch` of the API. */
export interface CancelledBatch {
  /** E-mails that were taken back. */
  cancelled: number;
}

/** `DkimKey` of the API. */
export interface DkimKey {
  /** The name of the key's record beneath `_domainkey`. */
  selector: string;
  /** What kind of key it is. */
  algorithm: "rsa-2048" | "ed25519";
  /** Whether it signs, is published to take over, or signed until lately. */
  state: "standby" | "active" | "retired";
  /** Whether mail is signed with it now: RSA's active one, and Ed25519's once its record is there. */
  signs: boolean;
  /** When it was made. */
  created_at: string;
  /** When it began to sign; null before. */
  activated_at: string | null;
  /** When it stopped signing; null before. */
  retired_at: string | null;
}

/** `Domain` of the API. */
export interface Domain {
  /** Its id. */
  id: string;
  /** The domain, in ASCII. */
  name: string;
  /** Mail is signed, and a domain counts as verified, in `verified` and `warning`. */
  status: "pending" | "verified" | "warning" | "failed";
  /** Why it is so; empty where all is well. */
  status_reason: string;
  /** The DNS records to publish, and how they were found. */
  records: DomainRecord[];
  /** Its keys, oldest first. */
  dkim: DkimKey[];
  /** Whether it stands for the domains beneath it. */
  include_subdomains: boolean;
  /** What stands before its name in the domain of its return paths. */
  return_path: string;
  /** Whether what comes back there reaches this service. */
  return_path_verified: boolean;
  /** Whether its mail goes only over TLS. */
  tls: "opportunistic" | "required";
  /** When it last became verified; null before. */
  verified_at: string | null;
  /** When it was last looked at; null before. */
  checked_at: string | null;
  /** When it is looked at next; null for only when asked. */
  next_check_at: string | null;
  /** When it was made. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
}

/** `DomainRecord` of the API. */
export interface DomainRecord {
  /** What the record is for. */
  purpose: "ownership" | "dkim" | "return_path" | "spf" | "dmarc";
  /** Whether the domain's status hangs on it. */
  required: boolean;
  /** The record's type. */
  type: "TXT" | "MX";
  /** The record's full name. */
  name: string;
  /** What is typed into a DNS panel: the name relative to the zone, `@` for the zone itself. */
  host: string;
  /** What belongs there, in one record. */
  value: string;
  /** Seconds that answers may be kept. */
  ttl: number;
  /** Of an MX record, whose value is the host alone; null for others. */
  priority: number | null;
  /** How it was found. `unreachable` says nothing of it; `keep` and `removable` are of a retired key's. */
  status: "unchecked" | "ok" | "missing" | "wrong" | "ambiguous" | "unreachable" | "keep" | "removable";
  /** What stands there; at most 5 texts. */
  found: string[];
  /** What is wrong, as a stable word; null where nothing is. */
  problem:
    | "not_found"
    | "zone_not_found"
    | "wrong_zone"
    | "name_doubled"
    | "underscore_missing"
    | "alias"
    | "quoted"
    | "cut_short"
    | "in_pieces"
    | "several"
    | "other_key"
    | "key_revoked"
    | "testing"
    | "other_value"
    | "name_servers_differ"
    | "too_many_lookups"
    | "passes_all"
    | "include_missing"
    | "no_answer"
    | null;
  /** What to do about it, in words for people; empty where there is nothing to do. */
  hint: string;
}

/** `DryRun` of the API. */
export interface DryRun {
  /** Whether it would be accepted, and anything sent. */
  would_send: boolean;
  /** All that stands against it, each by the code that the send would be refused with. */
  reasons: {
    /** A stable word for it. */
    code: string;
    /** What it is, in words for people. */
    message: string;
    /** What there is to know about it, by name; null for nothing. */
    details: unknown;
  }[];
  /** Whom it would go to. */
  recipients: {
    /** How the recipient was addressed. */
    kind: "to" | "cc" | "bcc";
    /** The bare address. */
    address: string;
    /** Whether nothing would be sent to it. */
    suppressed: boolean;
  }[];
  /** The plan's limits, and what is used of them before this send. */
  quota: {
    /** The current clock hour, UTC. */
    hour: {
      /** Recipients counted so far. */
      used: number;
      /** Recipients that the plan allows; 0 for any number. */
      limit: number;
    };
    /** The current day, UTC. */
    day: {
      /** Recipients counted so far. */
      used: number;
      /** Recipients that the plan allows; 0 for any number. */
      limit: number;
    };
  };
  /**
   * The mail server that it would be handed to first, with an id of null for the operator's; null where none takes
   * it.
   */
  server: {
    /** The workspace's own mail server; null for the operator's. */
    smtp_server_id: string | null;
    /** What it is called: the server by its people, null for the operator's; the domain in ASCII. */
    name: string | null;
  } | null;
  /** How the sender's domain stands; null without a sender. */
  domain: {
    /** What it is called: the server by its people, null for the operator's; the domain in ASCII. */
    name: string;
    /** Where the workspace's domain stands that it is a part of; null where there is none. */
    status: "pending" | "verified" | "warning" | "failed" | null;
    /** Whether the e-mail would be signed. */
    dkim: boolean;
  } | null;
  /** The version that would be sent; null without a template. */
  template_version_id: string | null;
  /** Rendered. */
  subject: string;
  /** Placeholders that have no value. */
  missing: string[];
  /** Names in `template_data` that nothing in the template reads. */
  unused: string[];
  /** Bytes of the rendered subject, html and text, and of the files, before they are encoded for the way. */
  size_bytes: number;
  /** What stands in nobody's way, and is worth knowing. */
  warnings: {
    /** A stable word for it. */
    code: string;
    /** What it is, in words for people. */
    message: string;
    /** What there is to know about it, by name; null for nothing. */
    details: unknown;
  }[];
}

/** `Email` of the API. */
export interface Email {
  /** Its id. */
  id: string;
  /** Where it stands. */
  status:
    | "scheduled"
    | "queued"
    | "sending"
    | "sent"
    | "partially_sent"
    | "failed"
    | "suppressed"
    | "cancelled";
  /** The template's name. */
  template: string | null;
  /** The version of the template; null where none was used. */
  template_version_id: string | null;
  /** The mail server that it was to go through; null where none was named. */
  smtp_server_id: string | null;
  /** The sender, such as `Example <news@example.com>`. Default: the workspace's, then the server's. */
  from: string;
  /** Addresses, such as `Ada <ada@example.com>`, who see each other; 1 to 50. */
  to: string[];
  /** The subject. */
  subject: string;
  /** When it was made. */
  created_at: string;
  /** When it is to be sent, at most 30 days ahead. */
  scheduled_at: string | null;
  /** When it is no use any more: no attempt begins then. Null where it always is. */
  deliver_before: string | null;
  /** When the last recipient was settled; null before. */
  sent_at: string | null;
  /** Which goes first where many wait. */
  priority: "high" | "normal" | "low";
  /** The batch that it was sent with; null for none. */
  batch_id: string | null;
  /** The campaign that it is a part of; null for none. */
  campaign_id: number | null;
  /** Words to find the e-mail by; at most 10, of at most 64 characters. */
  tags: string[];
  /** Data of the caller's own, kept with the e-mail; at most 4 KiB as JSON. */
  metadata: Record<string, unknown>;
  /** Its files, in order. */
  attachments: EmailAttachment[];
}

/** `EmailAttachment` of the API. */
export interface EmailAttachment {
  /** Its place among the e-mail's files, from 0. */
  position: number;
  /** Its name; empty where the e-mail is sensitive. */
  filename: string;
  /** Its media type, such as `application/pdf`. */
  content_type: string;
  /** Bytes. */
  size: number;
  /** What the html calls it by, as `cid:` and this; null where it is no inline file. */
  content_id: string | null;
}

/** `EmailAttempt` of the API. */
export interface EmailAttempt {
  /** Which attempt it was, from 1. */
  number: number;
  /** When the attempt began. */
  started_at: string;
  /** When the attempt ended; null while it is under way, or where its worker died. */
  ended_at: string | null;
  /** How the attempt ended. */
  outcome: "sent" | "deferred" | "failed" | "interrupted";
  /** Whether the mail server may have taken it although no answer came. */
  in_doubt: boolean;
  /** The mail server's words. */
  reply: string;
  /** The workspace's own server that it was handed to; null for the operator's. */
  smtp_server_id: string | null;
}

/** `EmailContent` of the API. */
export interface EmailContent {
  /** The sender. */
  from: Mailbox;
  /** Who sends it for `from`; null where nobody does. */
  sender: Mailbox | null;
  /** The recipients. */
  to: Mailbox[];
  /** Further recipients whom all see. */
  cc: Mailbox[];
  /** Where answers go. */
  reply_to: Mailbox[];
  /** The subject, rendered. */
  subject: string;
  /** The message's date. */
  date: string;
  /** The same at every attempt. */
  message_id: string;
  /** Header fields of the sender's own. */
  headers: HeaderField[];
  /** Empty where it has none. */
  html: string;
  /** Empty where it has none. */
  text: string;
  /** An iCalendar object as an alternative of the text; null where it has none. */
  calendar: CalendarObject | null;
}

/** `EmailDetails` of the API. */
export interface EmailDetails {
  /** Its id. */
  id: string;
  /** Where it stands. */
  status:
    | "scheduled"
    | "queued"
    | "sending"
    | "sent"
    | "partially_sent"
    | "failed"
    | "suppressed"
    | "cancelled";
  /** The template's name. */
  template: string | null;
  /** The version of the template; null where none was used. */
  template_version_id: string | null;
  /** The mail server that it was to go through; null where none was named. */
  smtp_server_id: string | null;
  /** The sender, such as `Example <news@example.com>`. Default: the workspace's, then the server's. */
  from: string;
  /** Addresses, such as `Ada <ada@example.com>`, who see each other; 1 to 50. */
  to: string[];
  /** The subject. */
  subject: string;
  /** When it was made. */
  created_at: string;
  /** When it is to be sent, at most 30 days ahead. */
  scheduled_at: string | null;
  /** When it is no use any more: no attempt begins then. Null where it always is. */
  deliver_before: string | null;
  /** When the last recipient was settled; null before. */
  sent_at: string | null;
  /** Which goes first where many wait. */
  priority: "high" | "normal" | "low";
  /** The batch that it was sent with; null for none. */
  batch_id: string | null;
  /** The campaign that it is a part of; null for none. */
  campaign_id: number | null;
  /** Words to find the e-mail by; at most 10, of at most 64 characters. */
  tags: string[];
  /** Data of the caller's own, kept with the e-mail; at most 4 KiB as JSON. */
  metadata: Record<string, unknown>;
  /** Its files, in order. */
  attachments: EmailAttachment[];
  /**
   * Whether what it said is gone: by retention, by erasure, or at once where it is sensitive. It can't be sent again
   * then.
   */
  content_removed: boolean;
  /** Each recipient, and what became of it. */
  recipients: EmailRecipient[];
  /** How often it was tried. */
  attempts: EmailAttempt[];
  /**
   * What happened to it and what it waits for, oldest first; at most 200 webhook deliveries, and as much of what was
   * done with it.
   */
  timeline: TimelineEntry[];
}

/** `EmailRecipient` of the API. */
export interface EmailRecipient {
  /** How the recipient was addressed. */
  kind: "to" | "cc" | "bcc";
  /** Its name. */
  name: string;
  /** The bare address. */
  address: string;
  /** What became of the recipient. */
  state: "pending" | "deferred" | "accepted" | "failed" | "suppressed" | "cancelled";
  /** How often it was tried. */
  attempts: number;
  /** The mail server's last code for the recipient. */
  last_code: number | null;
  /** The mail server's last words about the recipient. */
  last_reply: string;
  /** Of its bounce, such as `5.1.1`; null where there is none. */
  enhanced_code: string | null;
  /**
   * What its bounce tells of: the mailbox (`hard`), the moment (`soft`), the sender (`block`, `setting`), or nothing
   * certain; null without a bounce.
   */
  class: "hard" | "soft" | "block" | "setting" | "undetermined" | null;
  /** Why it bounced, such as `mailbox_full`; null without a bounce. */
  category: string | null;
  /** When a bounce was first told of; null for never. */
  bounced_at: string | null;
  /** When a complaint was first told of; null for never. */
  complained_at: string | null;
  /** What the server that took it calls the message, where it is one of the workspace's own and said so. */
  remote_id: string | null;
  /** When it came to its end; null before. */
  settled_at: string | null;
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

/** `Erasure` of the API. */
export interface Erasure {
  /** E-mails to the address. */
  emails: number;
  /** Campaigns that have it on their list. */
  campaigns: number;
  /** Of the workspace's latest 20,000 events those that name it; the others are looked through in the background. */
  events: number;
}

/** `Refusal` of the API. */
export interface Refusal {
  /** Whether the call did what it was asked to. */
  success: false;
  /** Why it was refused. */
  error: {
    /** What was refused, as a stable word. */
    code:
      | "validation_failed"
      | "workspace_required"
      | "owner_role_not_assignable"
      | "owner_role_immutable"
      | "owner_not_removable"
      | "invitation_not_pending"
      | "invitation_expired"
      | "domain_not_registrable"
      | "two_factor_not_set_up"
      | "invalid_two_factor_code"
      | "unauthenticated"
      | "api_key_expired"
      | "invalid_credentials"
      | "two_factor_required"
      | "not_a_member"
      | "forbidden"
      | "administrator_required"
      | "email_not_verified"
      | "invitation_for_another_user"
      | "registration_closed"
      | "invitation_required"
      | "content_unavailable"
      | "suppression_protected"
      | "plan_limit_reached"
      | "not_found"
      | "method_not_allowed"
      | "already_member"
      | "invitation_exists"
      | "template_name_taken"
      | "stylesheet_name_taken"
      | "plan_name_taken"
      | "smtp_server_name_taken"
      | "plan_in_use"
      | "active_version"
      | "password_not_set"
      | "external_id_taken"
      | "email_taken"
      | "idempotency_key_reused"
      | "default_plan"
      | "two_factor_already_enabled"
      | "owns_workspaces"
      | "not_retryable"
      | "not_cancellable"
      | "dedupe_key_spent"
      | "domain_taken"
      | "batch_too_large"
      | "payload_too_large"
      | "attachment_too_large"
      | "message_too_large"
      | "unsupported_media_type"
      | "attachment_not_found"
      | "dkim_not_published"
      | "template_data_missing"
      | "template_render_failed"
      | "all_recipients_suppressed"
      | "limit_never_opens"
      | "deadline_passed"
      | "campaign_state_conflict"
      | "campaign_not_editable"
      | "campaign_empty"
      | "sender_missing"
      | "workspace_not_trusted"
      | "domain_not_verified"
      | "no_smtp_server"
      | "rate_limited"
      | "internal_error"
      | "unavailable";
    /** What is wrong with it, in words for people. */
    message: string;
    /** The faulty fields, or the limit that was reached. */
    details?:
      | {
          /** The field's path, such as `to.0`. */
          path: string;
          /** What is wrong with it, in words for people. */
          message: string;
          /** What was refused, as a stable word. */
          code?: string | undefined;
          /** The faulty fields, or the limit that was reached. */
          details?: Record<string, unknown> | undefined;
        }[]
      | Record<string, unknown>
      | undefined;
    /** Faults besides those in `details`. */
    more?: number | undefined;
  };
  /** The request's id, as in the header `X-Request-Id`. */
  request_id: string;
}

/** `Event` of the API. */
export interface Event {
  /** Its id. */
  id: number;
  /** What the event is about. */
  category: "audit" | "email" | "webhook" | "campaign" | "system";
  /** The type of the event, such as `member.role_updated`. */
  type: string;
  /** The workspace's id. */
  workspace_id: number | null;
  /** The user's id. */
  user_id: number | null;
  /** The user who did it; null where it was the service, the operator or an API key. */
  actor_id: number | null;
  /** Who did it, as a person reads it. */
  actor_name: string;
  /** The address that the caller came from; empty where there was none. */
  client_ip: string;
  /** What happened, in words for people. */
  message: string;
  /** What changed, as JSON text. */
  metadata: string;
  /** When it was made. */
  created_at: string;
}

/** `EventPosition` of the API. */
export interface EventPosition {
  /**
   * The id of the last event that stands, 0 where there is none: the stream behind it tells all that comes, and
   * nothing twice.
   */
  last_id: number;
}

/** `HandoverStep` of the API. */
export interface HandoverStep {
  /** What it was: a command of SMTP, or what comes before and after. */
  step:
    | "wait"
    | "resolve"
    | "connect"
    | "greeting"
    | "ehlo"
    | "starttls"
    | "auth"
    | "mail_from"
    | "rcpt_to"
    | "data"
    | "content"
    | "end_of_data";
  /** How long it took, in ms. */
  ms: number;
  /** The server's reply code; null where it said nothing. */
  code: number | null;
  /**
   * What the server said, as it said it; of `starttls` what was agreed on. Empty where the server is the operator's
   * and talks of itself.
   */
  reply: string;
  /** Why it broke off; null where it did not. */
  error: string | null;
  /** Of `rcpt_to`: whom it is about. */
  recipient: string | null;
}

/** `HeaderField` of the API. */
export interface HeaderField {
  /** Its name. */
  name: string;
  /** What it says. */
  value: string;
}

/** `InboundEffect` of the API. */
export interface InboundEffect {
  /** What was reported. */
  kind: "bounce" | "complaint" | "delay";
  /** The address of the e-mail's that it is about. */
  recipient: string;
  /** What a bounce tells of; `complaint` for one. */
  class: string;
  /** Why it bounced, or the complaint's type. */
  category: string;
  /**
   * `noted` for the first of its kind, `suppressed` where the address gets no more mail for it, `known` for one that
   * was told before.
   */
  effect: "noted" | "known" | "suppressed";
}

/** `InboundEndpoint` of the API. */
export interface InboundEndpoint {
  /** Its id. */
  id: string;
  /** Whose webhooks come. */
  provider: "ses" | "postmark" | "sendgrid" | "mailgun" | "resend" | "generic";
  /** When it was made. */
  created_at: string;
}

/** `InboundEndpointMade` of the API. */
export interface InboundEndpointMade {
  /** Its id. */
  id: string;
  /** Whose webhooks come. */
  provider: "ses" | "postmark" | "sendgrid" | "mailgun" | "resend" | "generic";
  /** When it was made. */
  created_at: string;
  /** Where the provider is to post to, shown this once: it is a secret. */
  url: string;
  /** The signing secret that we made, shown this once; null where it was given. */
  secret: string | null;
}

/** `InboundReceived` of the API. */
export interface InboundReceived {
  /** How many of its events are about e-mails that are known. */
  matched: number;
}

/** `InboundReport` of the API. */
export interface InboundReport {
  /** Its id; null where it is not kept. */
  id: string | null;
  /** What the message was. */
  kind: "notification" | "complaint" | "auto_reply" | "other";
  /** Who said so: a notification, a complaint, or a relay by its webhook. */
  source: "smtp" | "dsn" | "arf" | "provider";
  /** Whether it is about an e-mail of the workspace. */
  matched: boolean;
  /** The e-mail that it is about; null for none that is known. */
  email_id: string | null;
  /** What it did to each recipient. */
  effects: InboundEffect[];
  /** When it was made. */
  created_at: string;
}

/** `InboundReportDetails` of the API. */
export interface InboundReportDetails {
  /** Its id. */
  id: string | null;
  /** What the message was. */
  kind: "notification" | "complaint" | "auto_reply" | "other";
  /** Who said so: a notification, a complaint, or a relay by its webhook. */
  source: "smtp" | "dsn" | "arf" | "provider";
  /** Whether it is about an e-mail of the workspace. */
  matched: boolean;
  /** The e-mail that it is about; null for none that is known. */
  email_id: string | null;
  /** What it did to each recipient. */
  effects: InboundEffect[];
  /** When it was made. */
  created_at: string;
  /** The message as it came, one character a byte. */
  raw: string;
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
  /** Where it stands. */
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

/** `Login` of the API. */
export interface Login {
  /** Sent as `Authorization: Bearer …`. Lasts 24 hours. */
  token: string;
  /** How to send the token. */
  token_type: "Bearer";
  /** When it ends. */
  expires_at: string;
  /** The session that the token belongs to. */
  session_id: string;
  /** Who is logged in. */
  user: User;
}

/** `MailFailure` of the API. */
export interface MailFailure {
  /** The e-mail's id. */
  email_id: string;
  /** The workspace's id. */
  workspace_id: number | null;
  /** What became of it. */
  type: "email.failed" | "email.delivery_delayed" | "email.bounced";
  /** When it happened. */
  at: string;
  /** What the mail server said, or why it was not asked. */
  reason: string;
}

/** `MailMetrics` of the API. */
export interface MailMetrics {
  /** The beginning. */
  from: string;
  /** The end. */
  until: string;
  /** Of the whole time. */
  totals: {
    /** Recipients whose e-mail was accepted. */
    accepted: number;
    /** Recipients whose mail server took the e-mail. */
    delivered: number;
    /** How often a recipient was put off, to be tried again. */
    deferred: number;
    /** Recipients whose mail was refused or came back. */
    bounced: number;
    /** Recipients who complained. */
    complained: number;
    /** Whether nothing would be sent to it. */
    suppressed: number;
  };
  /** Hours or days in which there was something, the earliest first. */
  series: {
    /** When the hour or day begins. */
    start: string;
    /** Recipients whose e-mail was accepted. */
    accepted: number;
    /** Recipients whose mail server took the e-mail. */
    delivered: number;
    /** How often a recipient was put off, to be tried again. */
    deferred: number;
    /** Recipients whose mail was refused or came back. */
    bounced: number;
    /** Recipients who complained. */
    complained: number;
    /** Whether nothing would be sent to it. */
    suppressed: number;
  }[];
  /** Domains with the most recipients first, at most 100. */
  domains: {
    /** The recipients' domain. */
    domain: string;
    /** Recipients whose e-mail was accepted. */
    accepted: number;
    /** Recipients whose mail server took the e-mail. */
    delivered: number;
    /** How often a recipient was put off, to be tried again. */
    deferred: number;
    /** Recipients whose mail was refused or came back. */
    bounced: number;
    /** Recipients who complained. */
    complained: number;
    /** Whether nothing would be sent to it. */
    suppressed: number;
  }[];
  /** All other domains together. */
  other_domains: {
    /** Recipients whose e-mail was accepted. */
    accepted: number;
    /** Recipients whose mail server took the e-mail. */
    delivered: number;
    /** How often a recipient was put off, to be tried again. */
    deferred: number;
    /** Recipients whose mail was refused or came back. */
    bounced: number;
    /** Recipients who complained. */
    complained: number;
    /** Whether nothing would be sent to it. */
    suppressed: number;
  };
}

/** `Mailbox` of the API. */
export interface Mailbox {
  /** The name that is shown; empty where there is none. */
  name: string;
  /** The e-mail address. */
  address: string;
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

/** `Message` of the API. */
export interface Message {
  /** What happened, in words for people. */
  message: string;
}

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

/** `Preview` of the API. */
export interface Preview {
  /** The subject. */
  subject: string;
  /** The HTML part. */
  html: string;
  /** The plain text part. */
  text: string;
  /** Placeholders that have no value. */
  missing: string[];
}

/** `QueueChange` of the API. */
export interface QueueChange {
  /** Whether it was otherwise before. */
  changed: boolean;
  /** E-mails that were cancelled before delivery went on. */
  dropped: number;
}

/** `QueueHold` of the API. */
export interface QueueHold {
  /** Why, in words. */
  reason: string;
  /** When the hold ends; null until it is ended. */
  until: string | null;
}

/** `QueueRoute` of the API. */
export interface QueueRoute {
  /** Its name: `w:7` is workspace 7 on the operator's server, `service` the service's own mails. */
  route: string;
  /** Whose e-mails wait there; null for the service's own. */
  workspace_id: number | null;
  /** E-mails that could go now. */
  due: number;
  /** E-mails that are due later. */
  waiting: number;
  /** E-mails in a worker's hands. */
  leased: number;
  /** When its longest-due e-mail fell due; null where none is due. */
  oldest_due_at: string | null;
  /** Why nothing goes from it; null where nothing holds it. */
  held: QueueHold | null;
}

/** `QueueStatus` of the API. */
export interface QueueStatus {
  /** E-mails that could go now. */
  due: number;
  /** E-mails that are due later. */
  waiting: number;
  /** E-mails in a worker's hands. */
  leased: number;
  /** When the longest-due e-mail fell due; null where none is due. */
  oldest_due_at: string | null;
  /** Whether all delivery is held. */
  paused: boolean;
  /** Since when it is; null where it is not. */
  paused_at: string | null;
  /** Why it is paused; null where it is not. */
  paused_reason: string | null;
  /** When the copy was made that this database is, from which nobody has delivered yet; null where it is none. */
  restored_from: string | null;
  /** Who delivers, the last seen first. */
  workers: Worker[];
  /** Where e-mails wait: at most 100 routes, the longest due first. */
  routes: QueueRoute[];
  /** What became of recipients since the database was begun: two looks make a rate. */
  totals: {
    /** Recipients whose e-mail was accepted. */
    accepted: number;
    /** Recipients whose mail server took the e-mail. */
    delivered: number;
    /** How often a recipient was put off, to be tried again. */
    deferred: number;
    /** Recipients whose mail was refused or came back. */
    bounced: number;
    /** Recipients who complained. */
    complained: number;
    /** Whether nothing would be sent to it. */
    suppressed: number;
  };
  /** What went wrong of late, the latest first: at most 10, of the last 500 events. */
  failures: MailFailure[];
}

/** `RevokedSessions` of the API. */
export interface RevokedSessions {
  /** What happened, in words for people. */
  message: string;
  /** How many sessions were ended. */
  revoked: number;
}

/** `SentBatch` of the API. */
export interface SentBatch {
  /** The batch that it was sent with; null for none. */
  batch_id: string;
  /** Its e-mails, in the order of the request. */
  emails: {
    /** Its place in the request, from 0. */
    index: number;
    /** Its id. */
    id: string;
    /** Whom it goes to. */
    to: string;
    /** Where it stands. */
    status:
      | "scheduled"
      | "queued"
      | "sending"
      | "sent"
      | "partially_sent"
      | "failed"
      | "suppressed"
      | "cancelled";
    /** What you call it; null for nothing. */
    key: string | null;
  }[];
  /** What is no e-mail, and why. */
  skipped: SkippedEmail[];
}

/** `Session` of the API. */
export interface Session {
  /** Its id. */
  id: string;
  /** What the client said it is. */
  user_agent: string;
  /** Where the login came from. */
  ip_address: string;
  /** When it was made. */
  created_at: string;
  /** When it ends. */
  expires_at: string;
  /** Whether it was ended before its time. */
  revoked: boolean;
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
  /** Days after which the key that signs a domain's mail gives way to the next; 0 is never. */
  dkim_rotation_days: number;
  /** Days after which what settled e-mails said is removed; 0 is as long as their lines of the log. */
  content_retention_days: number;
  /** Whether an address that bounces or complains is sent no more. */
  bounce_auto_suppress: boolean;
  /** Whether the sender's domain must be verified. */
  require_verified_domain: boolean;
  /** Whether mail that no server of the workspace's own is there for goes through the operator's. */
  platform_server: boolean;
  /** When it was made. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
}

/** `SkippedEmail` of the API. */
export interface SkippedEmail {
  /** Its place in the request, from 0. */
  index: number;
  /** Whom it was to go to, as it was given. */
  to: string;
  /** What you call it; null for nothing. */
  key: string | null;
  /** Why: `recipient_suppressed`, `deduplicated`, or what it would be refused with alone. */
  code: string;
  /** What happened, in words for people. */
  message: string;
  /** The faulty fields, or what else there is to say; null for nothing. */
  details: unknown;
}

/** `SmtpServer` of the API. */
export interface SmtpServer {
  /** Its id. */
  id: string;
  /** Its name. */
  name: string;
  /** The server's name or address. */
  host: string;
  /** The port. */
  port: number;
  /** How the connection is protected. */
  security: "none" | "starttls" | "tls";
  /** Who logs in; empty for no login. */
  username: string;
  /** Whether there is a password; it is never shown. */
  has_password: boolean;
  /** Senders' domains that it takes; empty for any sender. */
  from_domains: string[];
  /** Whether it also takes mail from domains that no server of the workspace names. */
  is_default: boolean;
  /** Whether it is in use. */
  is_active: boolean;
  /** Which of several is tried first: the lowest. */
  priority: number;
  /** Connections at once, of all processes together. */
  max_connections: number;
  /** Messages a second; null for no bound. */
  max_per_second: number | null;
  /** Messages an hour, spread evenly; null for no bound. */
  max_per_hour: number | null;
  /** Where bounces go: `sender`, or an address. */
  return_path: string;
  /**
   * `limited`: it takes less than it is handed; `down`: nothing goes there before `down_until`, and then one e-mail
   * tries it.
   */
  state: "up" | "limited" | "down";
  /** While it is down: when the next e-mail may try it. */
  down_until: string | null;
  /** The last fault, with the server's own words; null for those who may not change the server. */
  last_error: string | null;
  /** When that was. */
  last_error_at: string | null;
  /** When it last took an e-mail. */
  last_success_at: string | null;
  /** E-mails that it took in the last 24 hours, by whole hours. */
  sent_24h: number;
  /** When it was made. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
}

/** `SmtpServerTest` of the API. */
export interface SmtpServerTest {
  /** Whether every step succeeded. */
  ok: boolean;
  /** What was tried, in this order; the last is where it ended. */
  steps: SmtpServerTestStep[];
  /** The connection's protection; null without. */
  tls: {
    /** The version of TLS. */
    protocol: string;
    /** The cipher that was agreed on. */
    cipher: string;
    /** Whether the certificate is valid for the host. */
    authorized: boolean;
    /** Who issued the certificate. */
    issuer: string;
    /** When the certificate ends. */
    valid_to: string | null;
  } | null;
  /** What the server offers, with parameters. */
  extensions: string[];
  /** Bytes of the largest message that it takes; null where it does not say. */
  max_size: number | null;
}

/** `SmtpServerTestStep` of the API. */
export interface SmtpServerTestStep {
  /** What was tried. */
  step: "resolve" | "connect" | "greeting" | "starttls" | "auth" | "mail_from";
  /** How long it took, in ms. */
  ms: number;
  /** The server's reply code. */
  code?: number | undefined;
  /** The mail server's words. */
  reply?: string | undefined;
  /** Why it went no further. */
  error?: string | undefined;
}

/** `Stylesheet` of the API. */
export interface Stylesheet {
  /** Its id. */
  id: string;
  /** Its name. */
  name: string;
  /** CSS that is inlined into every template of the workspace; at most 256 KiB. */
  css: string;
  /** When it was made. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
}

/** `Suppression` of the API. */
export interface Suppression {
  /** The address, or `@` and a domain. */
  email: string;
  /** What it stops: `*` for everything, or the name of a list. */
  scope: string;
  /** Where it came from. */
  origin: "manual" | "bounce" | "complaint" | "unsubscribe" | "import";
  /** Why, in words. */
  reason: string;
  /** The e-mail that led to it; null where none did. */
  email_id: string | null;
  /** The user who made it; null once that user is gone. */
  created_by: number | null;
  /** When it was made. */
  created_at: string;
  /** When it ends; null for never. */
  expires_at: string | null;
}

/** `SuppressionCheck` of the API. */
export interface SuppressionCheck {
  /** An e-mail address. */
  email: string;
  /** Whether nothing would be sent to it. */
  suppressed: boolean;
  /** What suppresses it, its own entry or its domain's; null for nothing. */
  origin: "manual" | "bounce" | "complaint" | "unsubscribe" | "import" | null;
  /** Since when; null where it is not suppressed. */
  since: string | null;
}

/** `SuppressionImport` of the API. */
export interface SuppressionImport {
  /** Entries that are new. */
  added: number;
  /** Entries that stood already, and now last longer. */
  updated: number;
  /** Entries that stood already. */
  unchanged: number;
  /** The first 1,000 lines that were left out. */
  rejected: {
    /** The line's number, from 1. */
    line: number;
    /** What is wrong, as it stands in the file. */
    value: string;
    /** What happened, in words for people. */
    message: string;
  }[];
  /** How many lines were left out. */
  rejected_total: number;
  /** The last line that was read. */
  last_line: number;
}

/** `Template` of the API. */
export interface Template {
  /** Its id. */
  id: string;
  /** Its name. */
  name: string;
  /** A few words for people. */
  description: string;
  /** The version that is sent. */
  active_version_id: string;
  /** A BCP 47 language tag. */
  default_language: string;
  /** When it was made. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
}

/** `TemplateDetails` of the API. */
export interface TemplateDetails {
  /** Its id. */
  id: string;
  /** Its name. */
  name: string;
  /** A few words for people. */
  description: string;
  /** The version that is sent. */
  active_version_id: string;
  /** A BCP 47 language tag. */
  default_language: string;
  /** When it was made. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
  /** Counts the template's versions, from 1. */
  version_number: number;
  /** The subject. */
  subject: string;
  /** The HTML part. */
  html: string;
  /** The plain text part. */
  text: string;
  /** Values for previews; at most 256 KiB as JSON. Never sent. */
  sample_data: Record<string, unknown>;
  /** What is new in this version, for people. */
  note: string;
}

/** `TemplateVersion` of the API. */
export interface TemplateVersion {
  /** Its id. */
  id: string;
  /** Counts the template's versions, from 1. */
  version_number: number;
  /** The subject. */
  subject: string;
  /** What is new in this version, for people. */
  note: string;
  /** Whether it is in use. */
  is_active: boolean;
  /** When it was made. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
}

/** `TemplateVersionDetails` of the API. */
export interface TemplateVersionDetails {
  /** Its id. */
  id: string;
  /** Counts the template's versions, from 1. */
  version_number: number;
  /** The subject. */
  subject: string;
  /** What is new in this version, for people. */
  note: string;
  /** Whether it is in use. */
  is_active: boolean;
  /** When it was made. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
  /** The template it is a version of. */
  template_id: string;
  /** The HTML part. */
  html: string;
  /** The plain text part. */
  text: string;
  /** Values for previews; at most 256 KiB as JSON. Never sent. */
  sample_data: Record<string, unknown>;
}

/** `TimelineEntry` of the API. */
export interface TimelineEntry {
  /** When it happened; for what it waits for, when that is due. */
  at: string;
  /** What it tells of. */
  type:
    | "accepted"
    | "deferred"
    | "suppressed"
    | "attempt"
    | "rescheduled"
    | "retried"
    | "cancelled"
    | "settled"
    | "bounced"
    | "delayed"
    | "complained"
    | "unsubscribed"
    | "webhook"
    | "waiting"
    | "in_hand";
  /** What happened, in words for people. What mail servers said stands in it as they said it. */
  message: string;
  /** The address that it is about; null where it is about all or none. */
  recipient: string | null;
  /** What else is known. Never a content, a password or a token. */
  details: Record<string, unknown>;
  /** The mail servers that an attempt turned to, in order; empty for anything else. */
  handovers: {
    /** The workspace's own server; null for the operator's. */
    smtp_server_id: string | null;
    /** The server's name; null for the operator's, and for one that is gone. */
    name: string | null;
    /** Why it took nothing, whatever the mail; null where it took it up. */
    held: string | null;
    /** What was gone through there, in order. */
    steps: HandoverStep[];
  }[];
}

/** `TwoFactorSetup` of the API. */
export interface TwoFactorSetup {
  /** The shared secret, for authenticator apps without a camera. */
  secret: string;
  /** An otpauth URL, to be shown as a QR code. */
  url: string;
}

/** `User` of the API. */
export interface User {
  /** Its id. */
  id: number;
  /** Its name. */
  name: string;
  /** An e-mail address. */
  email: string;
  /** Whether the user has shown that the address is theirs. */
  email_verified: boolean;
  /** Whether logins ask for a code. */
  two_factor_enabled: boolean;
  /** Whether the user administers the platform. */
  is_admin: boolean;
  /** When it was made. */
  created_at: string;
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

/** `Webhook` of the API. */
export interface Webhook {
  /** Its id. */
  id: string;
  /** Where events are posted to, by HTTPS. */
  url: string;
  /** The types of events that are told, or `*` for all. */
  events: string[];
  /** Senders' addresses or domains whose e-mails are told; empty for all. */
  filters: string[];
  /** Whether it is in use. */
  is_active: boolean;
  /** When it was made. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
}

/** `WebhookDelivery` of the API. */
export interface WebhookDelivery {
  /** Its id. */
  id: string;
  /** The type of the event. */
  event: string;
  /** The body that was posted; empty for those who may not read it. */
  payload: string;
  /** Whether it was delivered, waits, or was given up. */
  status: "pending" | "delivered" | "failed";
  /** How often it was tried. */
  attempts: number;
  /** The receiver's HTTP status; null where none came. */
  response_status: number | null;
  /** The beginning of the receiver's answer, at most 4 KiB. */
  response_body: string | null;
  /** How long the last attempt took, in ms. */
  duration_ms: number | null;
  /** Why the last attempt failed; empty where it did not. */
  error: string;
  /** When it is tried next; null once it is settled. */
  due_at: string | null;
  /** When it was made. */
  created_at: string;
  /** When it came to its end; null before. */
  settled_at: string | null;
}

/** `WebhookWithSecret` of the API. */
export interface WebhookWithSecret {
  /** Its id. */
  id: string;
  /** Where events are posted to, by HTTPS. */
  url: string;
  /** The types of events that are told, or `*` for all. */
  events: string[];
  /** Senders' addresses or domains whose e-mails are told; empty for all. */
  filters: string[];
  /** Whether it is in use. */
  is_active: boolean;
  /** When it was made. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
  /** The signing secret. Shown only here. */
  secret: string;
}

/** `Worker` of the API. */
export interface Worker {
  /** Its process, by an id of this run. */
  id: string;
  /** When it last gave a sign of life. */
  seen_at: string;
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
