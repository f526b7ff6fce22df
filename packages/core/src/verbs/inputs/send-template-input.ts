// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.
/** What `sendTemplate` and `dryRunSendTemplate` take. */
export interface SendTemplateInput {
  /** The template's name. */
  template: string;
  /** 1 to 50 recipients, who see each other: `a@b.example` or `Name <a@b.example>`. */
  to: string[];
  /** At most 50 recipients of a copy, visible to all. */
  cc?: string[] | undefined;
  /** At most 50 recipients of a blind copy, visible to nobody. */
  bcc?: string[] | undefined;
  /** A value for each placeholder, at most 256 KiB as JSON. */
  templateData?: Record<string, unknown> | undefined;
  /** A version of the template, active or not. Default: the active one. */
  templateVersionId?: string | undefined;
  /** Whether placeholders without a value render as nothing instead of refusing the send. Default false. */
  allowMissing?: boolean | undefined;
  /** Replaces the template's subject and is rendered in the same way; at most 998 characters on one line. */
  subject?: string | undefined;
  /** The sender, `a@b.example` or `Name <a@b.example>`. Default: the workspace's, else the server's. */
  from?: string | undefined;
  /** Addresses for replies: one, or at most 10. */
  replyTo?: string | string[] | undefined;
  /** The sender on behalf of `from`, if it differs: the field Sender (RFC 5322 section 3.6.2). Default: none. */
  sender?: string | undefined;
  /**
   * An iCalendar object with its METHOD, such as an invitation; at most 65,536 characters, sent as an alternative of
   * the text (RFC 6047). Default: none.
   */
  calendar?: string | undefined;
  /** Additional header fields by name, at most 50; fields that the service writes itself are refused. */
  headers?: Record<string, string> | undefined;
  /** At most 10 labels of at most 64 characters, for filters of the log. */
  tags?: string[] | undefined;
  /** Metadata of your own, at most 4 KiB as JSON; stored with the e-mail and not sent. */
  metadata?: Record<string, unknown> | undefined;
  /**
   * At most 20 files, within the request or by the id of an upload. The plan limits the size of each, the server the
   * total (25 MB).
   */
  attachments?:
    | {
        /**
         * The file's name, at most 255 bytes; of a path only the last part is kept. Required with content; with id, the
         * default is the upload's name.
         */
        filename?: string | undefined;
        /**
         * The file in base64 (RFC 4648), or as bytes in the library; the files of one e-mail may have at most 10 MB
         * together, larger ones are uploaded first. Either content or id is required.
         */
        content?: string | Uint8Array | undefined;
        /** The media type of content. Default: by the name's extension, else application/octet-stream. */
        contentType?: string | undefined;
        /** The id of an uploaded file, instead of content. */
        id?: string | undefined;
        /** Id by which the html shows the file, as `cid:` followed by this id; unique in the e-mail. */
        contentId?: string | undefined;
      }[]
    | undefined;
  /** Time to send, ISO 8601 with an offset, a `Date` or ms since the epoch, at most 30 days ahead. Default: now. */
  scheduledAt?: string | Date | number | undefined;
  /**
   * Lets the recipient unsubscribe from a list with one click, by a header and by `{{unsubscribe_url}}` in the
   * template. The e-mail must have exactly one recipient; nothing is sent to one who is unsubscribed. Default: mail
   * that belongs to no list.
   */
  unsubscribe?:
    | {
        /** The list: 1 to 64 lower-case letters, digits and hyphens. */
        list: string;
      }
    | undefined;
  /** What is recorded when the recipient reads the html. Never with sensitive. Default: the workspace's settings. */
  tracking?:
    | {
        /** Whether openings are recorded. Default: the workspace's `trackOpens`. */
        opens?: boolean | undefined;
        /** Whether clicks on links are recorded. Default: the workspace's `trackClicks`. */
        clicks?: boolean | undefined;
      }
    | undefined;
  /** Id, a UUID, of the workspace's mail server to use; no other one is tried. Default: chosen by the sender's domain. */
  smtpServerId?: string | undefined;
  /**
   * Deadline, ISO 8601 with an offset, a `Date` or ms since the epoch, at most 30 days after the time to send: after
   * it no attempt begins, and the e-mail fails as `expired`.
   */
  deliverBefore?: string | Date | number | undefined;
  /** Priority among waiting e-mails. Default normal. */
  priority?: "high" | "normal" | "low" | undefined;
  /**
   * Whether subject, bodies and template data are stored encrypted, and removed once the e-mail is settled; the log
   * shows an empty subject. Default false.
   */
  sensitive?: boolean | undefined;
  /**
   * A key under which the workspace sends only one e-mail, ever: any later send with the key, even with other
   * content, is answered with the first e-mail.
   */
  dedupeKey?: string | undefined;
  /**
   * What to do above the plan's hourly or daily limit: refuse, or defer to the first hour with room, at most 30 days
   * ahead. Default refuse.
   */
  whenLimited?: "refuse" | "defer" | undefined;
  /**
   * A repeated call with the same key and fields gets the first answer, for 24 h; over HTTP the header
   * `Idempotency-Key`.
   */
  idempotencyKey?: string | undefined;
}
