// Printed by `npm run docs:routes` from the table of routes.
import type { PageOf } from "../page-of.ts";
import type { Suppression, SuppressionCheck, SuppressionImport } from "./schemas.ts";

/** Lines of the contract about suppressions. */
export interface SuppressionsLines {
  /** List suppressions. */
  "GET /workspaces/current/suppressions": {
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
      /** The beginning of an address, or `@` and the beginning of a domain. */
      q?: string | undefined;
      /** Only those that came from this. */
      origin?: "manual" | "bounce" | "complaint" | "unsubscribe" | "import" | undefined;
      /** Only those of this scope: `*`, or the name of a list. */
      scope?: "*" | string | undefined;
      /** Only those made at or after this time or date, ISO 8601. */
      from_date?: string | undefined;
      /** Only those made before this time or date, ISO 8601. */
      to_date?: string | undefined;
    };
    reply: PageOf<Suppression>;
  };
  /** Suppress an address or a domain. */
  "POST /workspaces/current/suppressions": {
    fields: {
      /** An address, `a@b.example`, or a whole domain, `@b.example`. */
      email: string;
      /** What it stops: `*` for everything, or the name of a list. Default `*`. */
      scope?: "*" | string | undefined;
      /** Why, for those who read it later; at most 500 characters. */
      reason?: string | undefined;
      /** When it ends, ISO 8601 with an offset. Default: never. */
      expires_at?: string | undefined;
    };
    reply: Suppression;
  };
  /** Check which addresses are suppressed. */
  "POST /workspaces/current/suppressions/check": {
    fields: {
      /** 1 to 1,000 addresses. */
      emails: string[];
      /** For mail of this list; `*`: for mail of none. Default `*`. */
      scope?: "*" | string | undefined;
    };
    reply: SuppressionCheck[];
  };
  /** Import suppressions from a file. */
  "POST /workspaces/current/suppressions/import": {
    fields: {
      /** Whether nothing is kept, and only told what would be. Default false. */
      dry_run?: boolean | undefined;
      /** The line to begin at, to go on where an import ended. The first names the columns. Default 1. */
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
      /** How it is written: CSV, or a JSON object a line, which changes nothing. Default csv. */
      format?: "csv" | "ndjson" | undefined;
    };
    reply: Uint8Array<ArrayBuffer>;
  };
  /** Read a suppression. */
  "GET /workspaces/current/suppressions/{email}": {
    fields: {
      /** An address, `a@b.example`, or a whole domain, `@b.example`. */
      email: string | number;
      /** Which of the address's entries: `*`, or the name of a list. Default `*`. */
      scope?: "*" | string | undefined;
    };
    reply: Suppression;
  };
  /** Remove a suppression. */
  "DELETE /workspaces/current/suppressions/{email}": {
    fields: {
      /** An address, `a@b.example`, or a whole domain, `@b.example`. */
      email: string | number;
      /** Which of the address's entries: `*`, or the name of a list. Default `*`. */
      scope?: "*" | string | undefined;
    };
    reply: undefined;
  };
}
