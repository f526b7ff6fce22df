// Printed by `npm run docs:routes` from the table of routes.

/** `Email` of the API. */
export interface Email {
  /** Id. */
  id: string;
  /** Status. */
  status:
    | "scheduled"
    | "queued"
    | "sending"
    | "sent"
    | "partially_sent"
    | "failed"
    | "suppressed"
    | "cancelled";
  /** Name of the template. */
  template: string | null;
  /** Id of the template's version; null without a template. */
  template_version_id: string | null;
  /** Id of the mail server that was requested; null if none was. */
  smtp_server_id: string | null;
  /** Sender, such as `Example <news@example.com>`. Default: the workspace's, then the server's. */
  from: string;
  /** Recipients, such as `Ada <ada@example.com>`, visible to each other; 1 to 50. */
  to: string[];
  /** Subject. */
  subject: string;
  /** Time of creation. */
  created_at: string;
  /** Time at which to send it, at most 30 days ahead. */
  scheduled_at: string | null;
  /** Time after which no attempt begins; null for none. */
  deliver_before: string | null;
  /** Time at which the last recipient was settled; null before. */
  sent_at: string | null;
  /** Priority among waiting e-mails. */
  priority: "high" | "normal" | "low";
  /** Id of the batch that it was sent with; null for none. */
  batch_id: string | null;
  /** Id of the campaign that it belongs to; null for none. */
  campaign_id: number | null;
  /** Tags for finding the e-mail; at most 10, of at most 64 characters. */
  tags: string[];
  /** The caller's own data, stored with the e-mail; at most 4 KiB as JSON. */
  metadata: Record<string, unknown>;
  /** Attached files, in order. */
  attachments: EmailAttachment[];
}

/** `EmailAttachment` of the API. */
export interface EmailAttachment {
  /** Position among the e-mail's files, from 0. */
  position: number;
  /** File name; empty if the e-mail is sensitive. */
  filename: string;
  /** Media type, such as `application/pdf`. */
  content_type: string;
  /** Size in bytes. */
  size: number;
  /** Content id by which the html refers to it, as `cid:` and this; null if it is not inline. */
  content_id: string | null;
}

/** `EmailAttempt` of the API. */
export interface EmailAttempt {
  /** Number of the attempt, from 1. */
  number: number;
  /** Time at which the attempt started. */
  started_at: string;
  /** Time at which the attempt ended; null while it is in progress, or if its worker died. */
  ended_at: string | null;
  /** Outcome of the attempt. */
  outcome: "sent" | "deferred" | "failed" | "interrupted";
  /** Whether the mail server may have accepted the e-mail although no reply arrived. */
  in_doubt: boolean;
  /** Reply of the mail server. */
  reply: string;
  /** Id of the workspace's own server that was used; null for the operator's. */
  smtp_server_id: string | null;
}

/** `EmailDetails` of the API. */
export interface EmailDetails {
  /** Id. */
  id: string;
  /** Status. */
  status:
    | "scheduled"
    | "queued"
    | "sending"
    | "sent"
    | "partially_sent"
    | "failed"
    | "suppressed"
    | "cancelled";
  /** Name of the template. */
  template: string | null;
  /** Id of the template's version; null without a template. */
  template_version_id: string | null;
  /** Id of the mail server that was requested; null if none was. */
  smtp_server_id: string | null;
  /** Sender, such as `Example <news@example.com>`. Default: the workspace's, then the server's. */
  from: string;
  /** Recipients, such as `Ada <ada@example.com>`, visible to each other; 1 to 50. */
  to: string[];
  /** Subject. */
  subject: string;
  /** Time of creation. */
  created_at: string;
  /** Time at which to send it, at most 30 days ahead. */
  scheduled_at: string | null;
  /** Time after which no attempt begins; null for none. */
  deliver_before: string | null;
  /** Time at which the last recipient was settled; null before. */
  sent_at: string | null;
  /** Priority among waiting e-mails. */
  priority: "high" | "normal" | "low";
  /** Id of the batch that it was sent with; null for none. */
  batch_id: string | null;
  /** Id of the campaign that it belongs to; null for none. */
  campaign_id: number | null;
  /** Tags for finding the e-mail; at most 10, of at most 64 characters. */
  tags: string[];
  /** The caller's own data, stored with the e-mail; at most 4 KiB as JSON. */
  metadata: Record<string, unknown>;
  /** Attached files, in order. */
  attachments: EmailAttachment[];
  /**
   * Whether the content was removed: after its retention period, by erasure, or at once because it is sensitive. The
   * e-mail then can't be sent again.
   */
  content_removed: boolean;
  /** Openings by all recipients, with those of programs; null for none. */
  opens: EmailHits | null;
  /** Clicks of all recipients, with those of programs; null for none. */
  clicks: EmailHits | null;
  /** Recipients, each with its state. */
  recipients: EmailRecipient[];
  /** Attempts to deliver it, oldest first. */
  attempts: EmailAttempt[];
  /**
   * What happened to the e-mail and what it waits for, oldest first; at most 200 webhook deliveries, and as many log
   * entries.
   */
  timeline: TimelineEntry[];
}

/** `EmailHits` of the API. */
export interface EmailHits {
  /** Number of all, with those of programs. */
  count: number;
  /** Number of those that a person made. */
  human_count: number;
  /** Time of the first. */
  first_at: string;
  /** Time of the first that a person made; null for none. */
  first_human_at: string | null;
  /** What made the last; `unknown` if the request named no program. */
  agent_class: "browser" | "mail_program" | "image_proxy" | "machine" | "unknown";
}

/** `EmailRecipient` of the API. */
export interface EmailRecipient {
  /** Kind of recipient. */
  kind: "to" | "cc" | "bcc";
  /** Name. */
  name: string;
  /** The bare address. */
  address: string;
  /** State of the recipient. */
  state: "pending" | "deferred" | "accepted" | "failed" | "suppressed" | "cancelled";
  /** Number of attempts made. */
  attempts: number;
  /** Last reply code of the mail server for the recipient; null without a reply. */
  code: number | null;
  /** Last reply of the mail server about the recipient. */
  last_reply: string;
  /** Enhanced status code of the bounce, or of the reply that deferred it, such as `5.1.1`; null for none. */
  enhanced_code: string | null;
  /**
   * Class of the bounce: about the mailbox (`hard`), a temporary fault (`soft`), the sender (`block`, `setting`), or
   * unknown; null without a bounce.
   */
  class: "hard" | "soft" | "block" | "setting" | "undetermined" | null;
  /** Category of the bounce, such as `mailbox_full`; null without a bounce. */
  category: string | null;
  /** Time of the first report of a bounce; null for never. */
  bounced_at: string | null;
  /** Time of the first report of a complaint; null for never. */
  complained_at: string | null;
  /**
   * Time at which a person first opened it, as far as the service saw; null if it did not, and for a message that
   * several recipients share.
   */
  opened_at: string | null;
  /**
   * Time at which a person first followed one of its links; null if none did, and for a message that several
   * recipients share.
   */
  clicked_at: string | null;
  /** Openings by this recipient, with those of programs; null for none. */
  opens: EmailHits | null;
  /** Clicks of this recipient, with those of programs; null for none. */
  clicks: EmailHits | null;
  /** Id that the accepting mail server gave the message; null if its reply has none. */
  remote_id: string | null;
  /** Time at which it was settled; null before. */
  settled_at: string | null;
}

/** `HandoverStep` of the API. */
export interface HandoverStep {
  /** Name of the step: an SMTP command, or what precedes and follows the session. */
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
  /** Duration in ms. */
  ms: number;
  /** Reply code of the server; null without a reply. */
  code: number | null;
  /**
   * Reply of the server, unchanged; for `starttls` the negotiated TLS. Empty if the operator's server describes
   * itself.
   */
  reply: string;
  /** Why the step failed; null if it did not. */
  error: string | null;
  /** Recipient of an `rcpt_to` step. */
  recipient: string | null;
}

/** `TimelineEntry` of the API. */
export interface TimelineEntry {
  /** Time at which it happened, or is due. */
  at: string;
  /** Type of the entry. */
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
    | "opened"
    | "clicked"
    | "machine"
    | "webhook"
    | "waiting"
    | "in_hand";
  /** Description for people, with the words of mail servers unchanged. */
  message: string;
  /** Address that the entry is about; null if it is about all recipients or none. */
  recipient: string | null;
  /** Further details; never content, passwords or tokens. */
  details: Record<string, unknown>;
  /** Mail servers that an attempt used, in order; empty for other entries. */
  handovers: {
    /** Id of the workspace's own server; null for the operator's. */
    smtp_server_id: string | null;
    /** Name of the server; null for the operator's, and for a deleted one. */
    name: string | null;
    /** Why the server was not used, whatever the e-mail; null if it was used. */
    held: string | null;
    /** Steps of the SMTP session, in order. */
    steps: HandoverStep[];
  }[];
}
