// Printed by `npm run docs:routes` from the table of routes.
import type { DryRun, Email } from "./schemas.ts";

/** The line `POST /emails/send`. */
export interface EmailsSendLine {
  /** Send an e-mail. */
  "POST /emails/send": {
    fields: {
      /** The subject as it stands; at most 998 characters on one line. */
      subject: string;
      /** The html part as it stands, at most 2 MiB. At least one of html and text is needed. */
      html?: string | undefined;
      /** The text part as it stands, at most 2 MiB. */
      text?: string | undefined;
      /** 1 to 50 recipients, who see each other: `a@b.example` or `Name <a@b.example>`. */
      to: string[];
      /** At most 50 recipients of a copy, whom all see. */
      cc?: string[] | undefined;
      /** At most 50 recipients of a copy, whom nobody sees. */
      bcc?: string[] | undefined;
      /** The sender, `a@b.example` or `Name <a@b.example>`. Default: the workspace's, else the server's. */
      from?: string | undefined;
      /** Where answers go: one address, or at most 10. */
      reply_to?: string | string[] | undefined;
      /**
       * Who sends it on behalf of `from`, where that is somebody else: the field Sender (RFC 5322 section 3.6.2).
       * Default: none.
       */
      sender?: string | undefined;
      /**
       * An invitation or the like: an iCalendar object with its METHOD, at most 65,536 characters, sent as an alternative
       * of the text (RFC 6047). Default: none.
       */
      calendar?: string | undefined;
      /** Further header fields by name, at most 50; those that the service writes itself are refused. */
      headers?: Record<string, string> | undefined;
      /** At most 10 words of at most 64 characters, by which the log is filtered. */
      tags?: string[] | undefined;
      /** Anything of yours, at most 4 KiB as JSON; kept with the e-mail and not sent. */
      metadata?: Record<string, unknown> | undefined;
      /**
       * At most 20 files: within the request, or by the id of an upload. Each is as large as the plan lets it, all
       * together as the server does (25 MB).
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
            content?: string | undefined;
            /** With content: its media type. Default: by the name's extension, else application/octet-stream. */
            content_type?: string | undefined;
            /** In place of content: the id of an uploaded file. */
            id?: string | undefined;
            /** Shows the file within the html, which refers to it as `cid:` and this; unique in the e-mail. */
            content_id?: string | undefined;
          }[]
        | undefined;
      /** When to send, ISO 8601 with an offset, at most 30 days ahead. Default: now. */
      scheduled_at?: string | undefined;
      /**
       * Lets the recipient unsubscribe from a list with one click: by a header, and where the template says
       * `{{unsubscribe_url}}`. Exactly one recipient; who is unsubscribed gets nothing. Default: mail of no list.
       */
      unsubscribe?:
        | {
            /** The list: 1 to 64 lower-case letters, digits and hyphens. */
            list: string;
          }
        | undefined;
      /** The workspace's mail server that it goes through, and no other: its id, a UUID. Default: chosen by the sender. */
      smtp_server_id?: string | undefined;
      /**
       * When it is no use any more, ISO 8601 with an offset, at most 30 days after it is to be sent: no attempt begins
       * then, and it fails as `expired`.
       */
      deliver_before?: string | undefined;
      /** Which e-mails go first where many wait. Default normal. */
      priority?: "high" | "normal" | "low" | undefined;
      /**
       * Whether subject, bodies and template data are kept sealed, and forgotten once the e-mail is settled; the log
       * shows an empty subject. Default false.
       */
      sensitive?: boolean | undefined;
      /**
       * One e-mail for this key, ever, in the whole workspace: a later send with it, whatever it says, is answered with
       * the first e-mail.
       */
      dedupe_key?: string | undefined;
      /**
       * What becomes of what is above the plan's hourly or daily limit: refused, or accepted for the first hour with
       * room, at most 30 days ahead. Default refuse.
       */
      when_limited?: "refuse" | "defer" | undefined;
    };
    reply: Email;
    /** What a dry run answers. */
    dryRun: DryRun;
  };
}
