// Printed by `npm run docs:routes` from the table of routes.
import type { PageOf } from "../page-of.ts";
import type { EmailsSendLine } from "./emails-send.ts";
import type { EmailsSendBatchLine } from "./emails-send-batch.ts";
import type { EmailsSendTemplateLine } from "./emails-send-template.ts";
import type { Batch, CancelledBatch, Email, EmailContent, EmailDetails, InboundFed } from "./schemas.ts";

/** Lines of the contract about emails. */
export interface EmailsLines extends EmailsSendTemplateLine, EmailsSendLine, EmailsSendBatchLine {
  /** Read a batch's delivery status. */
  "GET /emails/batches/{id}": {
    fields: {
      /** The batch's id, a UUID. */
      id: string | number;
    };
    reply: Batch;
  };
  /** Cancel a batch's waiting e-mails. */
  "POST /emails/batches/{id}/cancel": {
    fields: {
      /** The batch's id, a UUID. */
      id: string | number;
    };
    reply: CancelledBatch;
  };
  /** List e-mails. */
  "GET /emails": {
    fields: {
      /** Number of the page, counted from 0. Default 0. */
      page?: number | undefined;
      /** Number of items per page, 1 to 100. Default 20. */
      size?: number | undefined;
      /**
       * Cursor, in place of `page`: the `after` of the previous page. New items do not shift the list, and every page
       * costs the same, however deep it is.
       */
      after?: string | undefined;
      /** Only e-mails with this status. */
      status?:
        | "scheduled"
        | "queued"
        | "sending"
        | "sent"
        | "partially_sent"
        | "failed"
        | "suppressed"
        | "cancelled"
        | undefined;
      /** Only e-mails to this address, in to, cc or bcc. */
      to?: string | undefined;
      /** Only e-mails from the template of this name. */
      template?: string | undefined;
      /** Only e-mails of this batch. */
      batch_id?: string | undefined;
      /** Only e-mails that this API key sent, which may be revoked. In a long log, give a status or a time, too. */
      api_key_id?: string | undefined;
      /** Only e-mails with this tag. */
      tag?: string | undefined;
      /**
       * Only e-mails with these entries in their metadata, at most 5: `metadata[order]=7`. Texts, numbers, true and false
       * are compared as text, other JSON is not found; of an e-mail's metadata the first 20 such entries are searchable.
       */
      metadata?: Record<string, string> | undefined;
      /** Only e-mails accepted at or after this time or date, ISO 8601. */
      from_date?: string | undefined;
      /** Only e-mails accepted before this time or date, ISO 8601. */
      to_date?: string | undefined;
    };
    reply: PageOf<Email>;
  };
  /** Read an e-mail. */
  "GET /emails/{id}": {
    fields: {
      /** The e-mail's id, a UUID. */
      id: string | number;
    };
    reply: EmailDetails;
  };
  /** Reschedule an e-mail. */
  "PATCH /emails/{id}": {
    fields: {
      /** The e-mail's id, a UUID. */
      id: string | number;
      /**
       * New time to send, ISO 8601 with an offset, at most 30 days ahead; null for now. For an e-mail that when_limited
       * postponed, the hour that it was charged to begins first.
       */
      scheduled_at: string | null;
    };
    reply: Email;
  };
  /** Cancel an e-mail. */
  "POST /emails/{id}/cancel": {
    fields: {
      /** The e-mail's id, a UUID. */
      id: string | number;
    };
    reply: Email;
  };
  /** List the workspace's e-mails. */
  "GET /workspaces/current/emails": {
    fields: {
      /** Number of the page, counted from 0. Default 0. */
      page?: number | undefined;
      /** Number of items per page, 1 to 100. Default 20. */
      size?: number | undefined;
      /**
       * Cursor, in place of `page`: the `after` of the previous page. New items do not shift the list, and every page
       * costs the same, however deep it is.
       */
      after?: string | undefined;
      /** Only e-mails with this status. */
      status?:
        | "scheduled"
        | "queued"
        | "sending"
        | "sent"
        | "partially_sent"
        | "failed"
        | "suppressed"
        | "cancelled"
        | undefined;
      /** Only e-mails to this address, in to, cc or bcc. */
      to?: string | undefined;
      /** Only e-mails from the template of this name. */
      template?: string | undefined;
      /** Only e-mails of this batch. */
      batch_id?: string | undefined;
      /** Only e-mails that this API key sent, which may be revoked. In a long log, give a status or a time, too. */
      api_key_id?: string | undefined;
      /** Only e-mails with this tag. */
      tag?: string | undefined;
      /**
       * Only e-mails with these entries in their metadata, at most 5: `metadata[order]=7`. Texts, numbers, true and false
       * are compared as text, other JSON is not found; of an e-mail's metadata the first 20 such entries are searchable.
       */
      metadata?: Record<string, string> | undefined;
      /** Only e-mails accepted at or after this time or date, ISO 8601. */
      from_date?: string | undefined;
      /** Only e-mails accepted before this time or date, ISO 8601. */
      to_date?: string | undefined;
    };
    reply: PageOf<Email>;
  };
  /** Read an e-mail of the workspace. */
  "GET /workspaces/current/emails/{id}": {
    fields: {
      /** The e-mail's id, a UUID. */
      id: string | number;
    };
    reply: EmailDetails;
  };
  /** Reschedule an e-mail of the workspace. */
  "PATCH /workspaces/current/emails/{id}": {
    fields: {
      /** The e-mail's id, a UUID. */
      id: string | number;
      /**
       * New time to send, ISO 8601 with an offset, at most 30 days ahead; null for now. For an e-mail that when_limited
       * postponed, the hour that it was charged to begins first.
       */
      scheduled_at: string | null;
    };
    reply: Email;
  };
  /** Read the rendered content of an e-mail of the workspace. */
  "GET /workspaces/current/emails/{id}/content": {
    fields: {
      /** The e-mail's id, a UUID. */
      id: string | number;
    };
    reply: EmailContent;
  };
  /** Cancel an e-mail of the workspace. */
  "POST /workspaces/current/emails/{id}/cancel": {
    fields: {
      /** The e-mail's id, a UUID. */
      id: string | number;
    };
    reply: Email;
  };
  /** Retry a failed e-mail of the workspace. */
  "POST /workspaces/current/emails/{id}/retry": {
    fields: {
      /** The e-mail's id, a UUID. */
      id: string | number;
    };
    reply: Email;
  };
  /** Download a file of an e-mail. */
  "GET /workspaces/current/emails/{id}/attachments/{position}": {
    fields: {
      /** The e-mail's id, a UUID. */
      id: string | number;
      /** The file's position among the e-mail's files, from 0. */
      position: string | number;
    };
    reply: Uint8Array<ArrayBuffer>;
  };
  /** Submit a bounce or complaint message. */
  "POST /emails/inbound": {
    fields: {
      /**
       * The returned message, unchanged: a notification of delivery (RFC 3464), a complaint (RFC 5965), or any other. At
       * most 1 MiB; bytes beyond ASCII as characters of Latin-1.
       */
      message: string;
    };
    reply: InboundFed;
  };
}
