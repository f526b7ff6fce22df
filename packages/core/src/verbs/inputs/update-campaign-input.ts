// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.
/** What `update` takes. */
export interface UpdateCampaignInput {
  /** The campaign's id. */
  campaignId: number;
  /** The campaign's name, 1 to 100 characters on one line. */
  name: string;
  /** The template's name; alternatively, give subject, html and text. A change without any of them keeps the content. */
  template?: string | undefined;
  /** A version of the template. Default: the one that is active when it starts. */
  templateVersionId?: string | undefined;
  /** The subject: one line of at most 998 characters. Its placeholders are not escaped. */
  subject?: string | undefined;
  /** The HTML part, at most 512 KiB. Its placeholders are escaped. HTML, text or both are required. */
  html?: string | undefined;
  /** The text part, at most 512 KiB. Default: made from the HTML part. */
  text?: string | undefined;
  /** The sender, `a@b.example` or `Name <a@b.example>`. Default: the workspace's, else the server's. */
  from?: string | undefined;
  /** Addresses for replies: one, or at most 10. */
  replyTo?: string | string[] | undefined;
  /** Additional header fields by name, at most 50; fields that the service writes itself are refused. */
  headers?: Record<string, string> | undefined;
  /** At most 10 labels of at most 64 characters, for filters of the log. */
  tags?: string[] | undefined;
  /** Metadata of your own, at most 4 KiB as JSON; stored with the e-mail and not sent. */
  metadata?: Record<string, unknown> | undefined;
  /**
   * At most 20 files for each of its e-mails, within the request or by the id of an upload. The plan limits the size
   * of each, the server the total (25 MB). Default: none; a change without it keeps the files.
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
  /**
   * Lets each recipient unsubscribe from a list with one click, by a header and by `{{unsubscribe_url}}` in the
   * template. Default: false, for mail that belongs to no list.
   */
  unsubscribe?:
    | {
        /** The list: 1 to 64 lower-case letters, digits and hyphens. */
        list: string;
      }
    | false
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
  /**
   * Time at which a started campaign begins, ISO 8601 with an offset, a `Date` or ms since the epoch. Default: at
   * once.
   */
  scheduledAt?: string | Date | number | undefined;
  /** Maximum pace. Default: as fast as the servers and the plan allow. */
  pace?:
    | {
        /** E-mails per second, 0.001 to 1,000. */
        perSecond?: number | undefined;
        /** E-mails per hour, at most 3,600,000. */
        perHour?: number | undefined;
      }
    | undefined;
  /** A slow start, for senders without a reputation. */
  ramp?:
    | {
        /** E-mails in the first hour or day. */
        first: number;
        /** Factor by which the number grows in each following hour or day. */
        factor: number;
        /** The step: an hour or a day. */
        every: "hour" | "day";
      }
    | undefined;
  /** What to do with recipients without a value for a placeholder: skip them, or pause the campaign. */
  onMissing?: "skip" | "stop" | undefined;
  /** Pauses the campaign automatically if the share of bounces or complaints is higher. */
  autoPause?:
    | {
        /** Share of bounced e-mails, 0 to 1. Default 0.05. */
        bounceRate?: number | undefined;
        /** Share of complaints, 0 to 1. Default 0.003. */
        complaintRate?: number | undefined;
        /** E-mails to send before bounces and complaints are checked. Default 200. */
        after?: number | undefined;
      }
    | undefined;
}
