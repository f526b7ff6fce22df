// Printed by `npm run docs:routes` from the table of routes.
import type { PageOf } from "../page-of.ts";
import type { CampaignsCreateLine } from "./campaigns-create.ts";
import type { CampaignsUpdateLine } from "./campaigns-update.ts";
import type { AddedRecipients, Campaign, CampaignCheck, CampaignRecipient, Email } from "./schemas.ts";

/** Lines of the contract about campaigns. */
export interface CampaignsLines extends CampaignsCreateLine, CampaignsUpdateLine {
  /** List campaigns. */
  "GET /workspaces/current/campaigns": {
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
      /** Only campaigns with this status. */
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
  /** Delete a draft campaign. */
  "DELETE /workspaces/current/campaigns/{id}": {
    fields: {
      /** The campaign's id. */
      id: string | number;
    };
    reply: undefined;
  };
  /** Add recipients. */
  "POST /workspaces/current/campaigns/{id}/recipients": {
    fields:
      | {
          /** The campaign's id. */
          id: string | number;
          /** At most 10,000 recipients at a time; those already on the list stay unchanged. */
          recipients: {
            /** The recipient, `a@b.example` or `Name <a@b.example>`. Required, unless email is given. */
            to?: string | undefined;
            /** The same as to, by the name that lists and CSV files have for it. */
            email?: string | undefined;
            /** Values for the placeholders, at most 256 KiB as JSON. */
            template_data?: Record<string, unknown> | undefined;
          }[];
        }
      | {
          /** The campaign's id. */
          id: string | number;
          /**
           * Beside a file only. Joins the caller's calls of one import, which then have one audit event with the sum: a UUID,
           * or any 1 to 64 letters, digits, hyphens and underscores. Default: the call is an import of its own.
           */
          import_id?: string | undefined;
          /**
           * Beside a file only. Whether further calls of the same import follow. The last call, for which it is false, writes
           * the event, and so does one that fails; the last may be empty. Needs the import's id. Default false.
           */
          more?: boolean | undefined;
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
      /** Number of the page, counted from 0. Default 0. */
      page?: number | undefined;
      /** Number of items per page, 1 to 100. Default 20. */
      size?: number | undefined;
      /**
       * Cursor, in place of `page`: the `after` of the previous page. New items do not shift the list, and every page
       * costs the same, however deep it is.
       */
      after?: string | undefined;
      /**
       * Only recipients in this state. The e-mail of a `queued` one is on its way, that of a `settled` one has its
       * outcome.
       */
      state?: "pending" | "queued" | "settled" | "skipped" | "cancelled" | undefined;
      /** Only recipients whose e-mail has this outcome. */
      email_status?: "sent" | "failed" | "suppressed" | "cancelled" | undefined;
      /** A part of the address. */
      q?: string | undefined;
    };
    reply: PageOf<CampaignRecipient>;
  };
  /** Check a campaign without sending. */
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
      /** The test's recipient, `a@b.example` or `Name <a@b.example>`. */
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
  /** Resume a paused campaign. */
  "POST /workspaces/current/campaigns/{id}/resume": {
    fields: {
      /** The campaign's id. */
      id: string | number;
      /** What to do from now on with recipients without a value for a placeholder. Default: as before. */
      on_missing?: "skip" | "stop" | undefined;
    };
    reply: Campaign;
  };
  /** Cancel a campaign. */
  "POST /workspaces/current/campaigns/{id}/cancel": {
    fields: {
      /** The campaign's id. */
      id: string | number;
    };
    reply: Campaign;
  };
}
