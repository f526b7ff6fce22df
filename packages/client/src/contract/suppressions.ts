// Printed by `npm run docs:routes` from the table of routes.
import type { PageOf } from "../page-of.ts";
import type { Suppression, SuppressionCheck, SuppressionImport } from "./schemas.ts";

/** Lines of the contract about suppressions. */
export interface SuppressionsLines {
  /** List suppressions. */
  "GET /workspaces/current/suppressions": {
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
      /** Lists only addresses that begin with this text, or domains if it begins with `@`. */
      q?: string | undefined;
      /** Lists only suppressions of this origin. */
      origin?: "manual" | "bounce" | "complaint" | "unsubscribe" | "import" | undefined;
      /** Lists only suppressions of this scope: `*`, or the name of a list. */
      scope?: "*" | string | undefined;
      /** Lists only suppressions created at or after this time or date, ISO 8601. */
      from_date?: string | undefined;
      /** Lists only suppressions created before this time or date, ISO 8601. */
      to_date?: string | undefined;
    };
    reply: PageOf<Suppression>;
  };
  /** Suppress an address or a domain. */
  "POST /workspaces/current/suppressions": {
    fields: {
      /** An address, such as `a@b.example`, or a whole domain, such as `@b.example`. */
      email: string;
      /** The mail that it stops: `*` for all mail, or the name of a list. Default `*`. */
      scope?: "*" | string | undefined;
      /** The reason for the suppression, at most 500 characters. */
      reason?: string | undefined;
      /** When the suppression expires, ISO 8601 with an offset. Default: never. */
      expires_at?: string | undefined;
    };
    reply: Suppression;
  };
  /** Check which addresses are suppressed. */
  "POST /workspaces/current/suppressions/check": {
    fields: {
      /** The addresses to check, 1 to 1,000. */
      emails: string[];
      /** The list that the mail belongs to, or `*` for mail without a list. Default `*`. */
      scope?: "*" | string | undefined;
    };
    reply: SuppressionCheck[];
  };
  /** Import suppressions from a file. */
  "POST /workspaces/current/suppressions/import": {
    fields: {
      /**
       * Joins the caller's calls of one import, which then have one audit event with the sum: a UUID, or any 1 to 64
       * letters, digits, hyphens and underscores. Default: the call is an import of its own.
       */
      import_id?: string | undefined;
      /**
       * Whether further calls of the same import follow. The last call, for which it is false, writes the event, and so
       * does one that fails; the last may be empty. Needs the import's id. Default false.
       */
      more?: boolean | undefined;
      /** Whether to only check the file and count its lines, without storing anything. Default false. */
      dry_run?: boolean | undefined;
      /**
       * The line to begin at, to continue an import that was interrupted. The first line holds the names of the columns.
       * Default 1.
       */
      from_line?: number | undefined;
      /** The file. */
      content: Uint8Array<ArrayBuffer> | Blob | AsyncIterable<Uint8Array>;
      /** Its media type. Default: by the name's extension. */
      content_type?: string | undefined;
      /** Bytes, where a stream's are known beforehand. */
      size?: number | undefined;
    };
    reply: SuppressionImport;
  };
  /** Export all suppressions. */
  "GET /workspaces/current/suppressions/export": {
    fields: {
      /**
       * Format of the export: CSV, or NDJSON with one JSON object per line, which keeps all values unchanged. Default
       * csv, or over HTTP the one of them that `Accept` prefers.
       */
      format?: "csv" | "ndjson" | undefined;
    };
    reply: Uint8Array<ArrayBuffer>;
  };
  /** Read a suppression. */
  "GET /workspaces/current/suppressions/{email}": {
    fields: {
      /** An address, such as `a@b.example`, or a whole domain, such as `@b.example`. */
      email: string | number;
      /** The scope of the suppression: `*`, or the name of a list. Default `*`. */
      scope?: "*" | string | undefined;
    };
    reply: Suppression;
  };
  /** Remove a suppression. */
  "DELETE /workspaces/current/suppressions/{email}": {
    fields: {
      /** An address, such as `a@b.example`, or a whole domain, such as `@b.example`. */
      email: string | number;
      /** The scope of the suppression: `*`, or the name of a list. Default `*`. */
      scope?: "*" | string | undefined;
    };
    reply: undefined;
  };
}
