// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.
/** What `create` takes. */
export interface CreateCampaignInput {
  /** What it is called, 1 to 100 characters on one line. */
  name: string;
  /**
   * The template's name; or give subject, html and text. Where it is changed and none of them is given, it says what
   * it said.
   */
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
  /** Where answers go: one address, or at most 10. */
  replyTo?: string | string[] | undefined;
  /** Further header fields by name, at most 50; those that the service writes itself are refused. */
  headers?: Record<string, string> | undefined;
  /** At most 10 words of at most 64 characters, by which the log is filtered. */
  tags?: string[] | undefined;
  /** Anything of yours, at most 4 KiB as JSON; kept with the e-mail and not sent. */
  metadata?: Record<string, unknown> | undefined;
  /**
   * At most 20 files that each of its e-mails has: within the request, or by the id of an upload. Each is as large as
   * the plan lets it, all together as the server does (25 MB). Default: none; where it is changed, those that it has.
   */
  attachments?:
    | {
        /**
         * Its name, of which the last part of a path is kept, at most 255 bytes. Needed with content; with id, the upload's
         * by default.
         */
        filename?: string | undefined;
        /**
         * The file in base64 (RFC 4648), or in the library as bytes; all files of a request at most 10 MB together, larger
         * ones are uploaded first. Either this or id is needed.
         */
        content?: string | Uint8Array | undefined;
        /** With content: its media type. Default: by the name's extension, else application/octet-stream. */
        contentType?: string | undefined;
        /** In place of content: the id of an uploaded file. */
        id?: string | undefined;
        /** Shows the file within the html, which refers to it as `cid:` and this; unique in the e-mail. */
        contentId?: string | undefined;
      }[]
    | undefined;
  /**
   * Lets each recipient leave a list with one click: by a header, and where the template says `{{unsubscribe_url}}`.
   * Default: false, mail of no list.
   */
  unsubscribe?:
    | {
        /** The list: 1 to 64 lower-case letters, digits and hyphens. */
        list: string;
      }
    | false
    | undefined;
  /** When it begins once it is started, ISO 8601 with an offset. Default: at once. */
  scheduledAt?: string | Date | number | undefined;
  /** How fast it goes out at the most. Default: as fast as the servers and the plan allow. */
  pace?:
    | {
        /** E-mails a second, at most 1,000. */
        perSecond?: number | undefined;
        /** E-mails an hour, at most 3,600,000. */
        perHour?: number | undefined;
      }
    | undefined;
  /** Begins slowly, for senders that nobody knows yet. */
  ramp?:
    | {
        /** E-mails in the first hour or day. */
        first: number;
        /** By how much each following one lets more through. */
        factor: number;
        /** The step: an hour or a day. */
        every: "hour" | "day";
      }
    | undefined;
  /** What to do with recipients without a value for a placeholder: skip them, or pause the campaign. */
  onMissing?: "skip" | "stop" | undefined;
  /** Pauses by itself where more than this share bounces or complains. */
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
  /** At most 10,000 recipients at a time; whoever is on the list already stays as they are. */
  recipients?:
    | {
        /** The recipient, `a@b.example` or `Name <a@b.example>`. */
        to: string;
        /** Values for the placeholders, at most 256 KiB as JSON. */
        templateData?: Record<string, unknown> | undefined;
      }[]
    | undefined;
}
