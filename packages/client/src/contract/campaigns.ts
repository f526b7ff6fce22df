// Printed by `npm run docs:routes` from the table of routes.
import type { PageOf } from "../page-of.ts";
import type { AddedRecipients, Campaign, CampaignCheck, CampaignRecipient, Email } from "./schemas.ts";

/** Lines of the contract about campaigns. */
export interface CampaignsLines {
  /** Make a campaign. */
  "POST /workspaces/current/campaigns": {
    fields: {
      /** What it is called, 1 to 100 characters on one line. */
      name: string;
      /**
       * The template's name; or give subject, html and text. Where it is changed and none of them is given, it says what
       * it said.
       */
      template?: string | undefined;
      /** A version of the template. Default: the one that is active when it starts. */
      template_version_id?: string | undefined;
      /** The subject, on one line, at most 998 characters; may hold placeholders, which are not escaped in it. */
      subject?: string | undefined;
      /** The html part, at most 512 KiB; placeholders are escaped. At least one of html and text is needed. */
      html?: string | undefined;
      /** The text part, at most 512 KiB. Made from the html where only that is given. */
      text?: string | undefined;
      /** The sender, `a@b.example` or `Name <a@b.example>`. Default: the workspace's, else the server's. */
      from?: string | undefined;
      /** Where answers go: one address, or at most 10. */
      reply_to?: string | string[] | undefined;
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
            content?: string | undefined;
            /** With content: its media type. Default: by the name's extension, else application/octet-stream. */
            content_type?: string | undefined;
            /** In place of content: the id of an uploaded file. */
            id?: string | undefined;
            /** Shows the file within the html, which refers to it as `cid:` and this; unique in the e-mail. */
            content_id?: string | undefined;
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
      scheduled_at?: string | undefined;
      /** How fast it goes out at the most. Default: as fast as the servers and the plan allow. */
      pace?:
        | {
            /** E-mails a second, at most 1,000. */
            per_second?: number | undefined;
            /** E-mails an hour, at most 3,600,000. */
            per_hour?: number | undefined;
          }
        | undefined;
      /** Begins slowly, for senders that nobody knows yet. */
      ramp?:
        | {
            /** E-mails in the first hour or day. */
            first: number;
            /** By how much each following one lets more through. */
            factor: number;
            /** What is meant by one: an hour or a day. */
            every: "hour" | "day";
          }
        | undefined;
      /** What becomes of recipients without a value for some placeholder: they are skipped, or it is paused. */
      on_missing?: "skip" | "stop" | undefined;
      /** Pauses by itself where more than this share bounces or complains. */
      auto_pause?:
        | {
            /** Share of bounced e-mails, 0 to 1. Default 0.05. */
            bounce_rate?: number | undefined;
            /** Share of complaints, 0 to 1. Default 0.003. */
            complaint_rate?: number | undefined;
            /** So many e-mails are sent before it is looked at. Default 200. */
            after?: number | undefined;
          }
        | undefined;
      /** At most 10,000 recipients at a time; whoever is on the list already stays as they are. */
      recipients?:
        | {
            /** The recipient, `a@b.example` or `Name <a@b.example>`. */
            to: string;
            /** Values for the placeholders, at most 256 KiB as JSON. */
            template_data?: Record<string, unknown> | undefined;
          }[]
        | undefined;
    };
    reply: Campaign;
  };
  /** List campaigns. */
  "GET /workspaces/current/campaigns": {
    fields: {
      /** Which page, counted from 0. Default 0. */
      page?: number | undefined;
      /** Items a page, 1 to 100. Default 20. */
      size?: number | undefined;
      /**
       * In place of `page`: the `after` of a former page. The list goes on behind it, whatever came in since, and costs
       * the same however deep that is.
       */
      after?: string | undefined;
      /** Only those that stand there. */
      status?: "draft" | "scheduled" | "running" | "paused" | "completed" | "cancelled" | undefined;
      /** A part of the name. */
      q?: string | undefined;
    };
    reply: PageOf<Campaign>;
  };
  /** Read a campaign. */
  "GET /workspaces/current/campaigns/{id}": {
    fields: {
      /** The campaign's id. */
      id: string | number;
    };
    reply: Campaign;
  };
  /** Say a campaign anew. */
  "PUT /workspaces/current/campaigns/{id}": {
    fields: {
      /** The campaign's id. */
      id: string | number;
      /** What it is called, 1 to 100 characters on one line. */
      name: string;
      /**
       * The template's name; or give subject, html and text. Where it is changed and none of them is given, it says what
       * it said.
       */
      template?: string | undefined;
      /** A version of the template. Default: the one that is active when it starts. */
      template_version_id?: string | undefined;
      /** The subject, on one line, at most 998 characters; may hold placeholders, which are not escaped in it. */
      subject?: string | undefined;
      /** The html part, at most 512 KiB; placeholders are escaped. At least one of html and text is needed. */
      html?: string | undefined;
      /** The text part, at most 512 KiB. Made from the html where only that is given. */
      text?: string | undefined;
      /** The sender, `a@b.example` or `Name <a@b.example>`. Default: the workspace's, else the server's. */
      from?: string | undefined;
      /** Where answers go: one address, or at most 10. */
      reply_to?: string | string[] | undefined;
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
            content?: string | undefined;
            /** With content: its media type. Default: by the name's extension, else application/octet-stream. */
            content_type?: string | undefined;
            /** In place of content: the id of an uploaded file. */
            id?: string | undefined;
            /** Shows the file within the html, which refers to it as `cid:` and this; unique in the e-mail. */
            content_id?: string | undefined;
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
      scheduled_at?: string | undefined;
      /** How fast it goes out at the most. Default: as fast as the servers and the plan allow. */
      pace?:
        | {
            /** E-mails a second, at most 1,000. */
            per_second?: number | undefined;
            /** E-mails an hour, at most 3,600,000. */
            per_hour?: number | undefined;
          }
        | undefined;
      /** Begins slowly, for senders that nobody knows yet. */
      ramp?:
        | {
            /** E-mails in the first hour or day. */
            first: number;
            /** By how much each following one lets more through. */
            factor: number;
            /** What is meant by one: an hour or a day. */
            every: "hour" | "day";
          }
        | undefined;
      /** What becomes of recipients without a value for some placeholder: they are skipped, or it is paused. */
      on_missing?: "skip" | "stop" | undefined;
      /** Pauses by itself where more than this share bounces or complains. */
      auto_pause?:
        | {
            /** Share of bounced e-mails, 0 to 1. Default 0.05. */
            bounce_rate?: number | undefined;
            /** Share of complaints, 0 to 1. Default 0.003. */
            complaint_rate?: number | undefined;
            /** So many e-mails are sent before it is looked at. Default 200. */
            after?: number | undefined;
          }
        | undefined;
    };
    reply: Campaign;
  };
  /** Delete a draft. */
  "DELETE /workspaces/current/campaigns/{id}": {
    fields: {
      /** The campaign's id. */
      id: string | number;
    };
    reply: undefined;
  };
  /** Put recipients on the list. */
  "POST /workspaces/current/campaigns/{id}/recipients": {
    fields:
      | {
          /** The campaign's id. */
          id: string | number;
          /** At most 10,000 recipients at a time; whoever is on the list already stays as they are. */
          recipients: {
            /** The recipient, `a@b.example` or `Name <a@b.example>`. */
            to: string;
            /** Values for the placeholders, at most 256 KiB as JSON. */
            template_data?: Record<string, unknown> | undefined;
          }[];
        }
      | {
          /** The campaign's id. */
          id: string | number;
          /** The file. */
          content: Uint8Array<ArrayBuffer> | Blob | AsyncIterable<Uint8Array>;
          /** Its media type. Default: by the name's extension. */
          content_type?: string | undefined;
          /** Bytes, where a stream's are known beforehand. */
          size?: number | undefined;
        };
    reply: AddedRecipients;
  };
  /** List a campaign's recipients. */
  "GET /workspaces/current/campaigns/{id}/recipients": {
    fields: {
      /** The campaign's id. */
      id: string | number;
      /** Which page, counted from 0. Default 0. */
      page?: number | undefined;
      /** Items a page, 1 to 100. Default 20. */
      size?: number | undefined;
      /**
       * In place of `page`: the `after` of a former page. The list goes on behind it, whatever came in since, and costs
       * the same however deep that is.
       */
      after?: string | undefined;
      /** Only those that stand there; `queued` have an e-mail. */
      state?: "pending" | "queued" | "skipped" | "cancelled" | undefined;
      /** A part of the address. */
      q?: string | undefined;
    };
    reply: PageOf<CampaignRecipient>;
  };
  /** Try a campaign without sending. */
  "POST /workspaces/current/campaigns/{id}/check": {
    fields: {
      /** The campaign's id. */
      id: string | number;
    };
    reply: CampaignCheck;
  };
  /** Send a campaign to one address as a test. */
  "POST /workspaces/current/campaigns/{id}/test": {
    fields: {
      /** The campaign's id. */
      id: string | number;
      /** Whom the test goes to, `a@b.example` or `Name <a@b.example>`. */
      to: string;
      /** Values for the placeholders, at most 256 KiB as JSON. Default: those of the first recipient. */
      template_data?: Record<string, unknown> | undefined;
    };
    reply: Email;
  };
  /** Start a campaign. */
  "POST /workspaces/current/campaigns/{id}/start": {
    fields: {
      /** The campaign's id. */
      id: string | number;
    };
    reply: Campaign;
  };
  /** Pause a campaign. */
  "POST /workspaces/current/campaigns/{id}/pause": {
    fields: {
      /** The campaign's id. */
      id: string | number;
    };
    reply: Campaign;
  };
  /** Let a paused campaign go on. */
  "POST /workspaces/current/campaigns/{id}/resume": {
    fields: {
      /** The campaign's id. */
      id: string | number;
      /** What becomes of recipients without a value from now on. Default: as before. */
      on_missing?: "skip" | "stop" | undefined;
    };
    reply: Campaign;
  };
  /** End a campaign for good. */
  "POST /workspaces/current/campaigns/{id}/cancel": {
    fields: {
      /** The campaign's id. */
      id: string | number;
    };
    reply: Campaign;
  };
}
