// Printed by `npm run docs:routes` from the table of routes.

/** `Email` of the API. */
export interface Email {
  /** Its id. */
  id: string;
  /** Its status. */
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
  /** The time after which no attempt begins; null for none. */
  deliver_before: string | null;
  /** When the last recipient was settled; null before. */
  sent_at: string | null;
  /** Which e-mails go first when many wait. */
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

/** `EmailDetails` of the API. */
export interface EmailDetails {
  /** Its id. */
  id: string;
  /** Its status. */
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
  /** The time after which no attempt begins; null for none. */
  deliver_before: string | null;
  /** When the last recipient was settled; null before. */
  sent_at: string | null;
  /** Which e-mails go first when many wait. */
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
   * Whether its content was removed: by retention, by erasure, or at once because it is sensitive. It can't be sent
   * again then.
   */
  content_removed: boolean;
  /** Each recipient, with its state. */
  recipients: EmailRecipient[];
  /** How many attempts were made. */
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
  /** The recipient's state. */
  state: "pending" | "deferred" | "accepted" | "failed" | "suppressed" | "cancelled";
  /** How many attempts were made. */
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
  /** When it was settled; null before. */
  settled_at: string | null;
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
