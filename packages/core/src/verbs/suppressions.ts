// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.

import type { Page } from "../calls/paging.ts";
import type { FileView } from "../mail/emails/get-email-attachment.ts";
import type { SuppressionCheck } from "../suppressions/check-suppressions.ts";
import type { CreatedSuppression } from "../suppressions/create-suppression.ts";
import type { SuppressionImport } from "../suppressions/import/import-suppressions.ts";
import type { SuppressionView } from "../suppressions/suppression-view.ts";
import type { CallShapes } from "./call-options.ts";

/** What `list` takes. */
export interface ListSuppressionsInput {
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
  /** Lists only suppressions created at or after this time or date, ISO 8601, a `Date` or ms since the epoch. */
  fromDate?: string | Date | number | undefined;
  /** Lists only suppressions created before this time or date, ISO 8601, a `Date` or ms since the epoch. */
  toDate?: string | Date | number | undefined;
}

/** What `get` and `delete` take. */
export interface GetSuppressionInput {
  /** An address, such as `a@b.example`, or a whole domain, such as `@b.example`. */
  email: string;
  /** The scope of the suppression: `*`, or the name of a list. Default `*`. */
  scope?: "*" | string | undefined;
}

/** What `create` takes. */
export interface CreateSuppressionInput {
  /** An address, such as `a@b.example`, or a whole domain, such as `@b.example`. */
  email: string;
  /** The mail that it stops: `*` for all mail, or the name of a list. Default `*`. */
  scope?: "*" | string | undefined;
  /** The reason for the suppression, at most 500 characters. */
  reason?: string | undefined;
  /** When the suppression expires, ISO 8601 with an offset, a `Date` or ms since the epoch. Default: never. */
  expiresAt?: string | Date | number | undefined;
}

/** What `check` takes. */
export interface CheckSuppressionsInput {
  /** The addresses to check, 1 to 1,000. */
  emails: string[];
  /** The list that the mail belongs to, or `*` for mail without a list. Default `*`. */
  scope?: "*" | string | undefined;
}

/** What `import` takes. */
export interface ImportSuppressionsInput {
  /** The file's content: bytes or a stream of bytes, at most 64 MiB. Over HTTP it is the request's body. */
  content: Uint8Array | AsyncIterable<Uint8Array>;
  /**
   * The file's format: `text/csv`, or `application/x-ndjson` with one JSON object per line. A `charset` beside it is
   * converted; without one, the file is UTF-8, or UTF-16 with its byte order mark. Over HTTP it is the header
   * Content-Type. Default `text/csv`.
   */
  contentType?: string | undefined;
  /** The file's size in bytes, if known: a file that is too large is then refused before it is read. */
  size?: number | undefined;
  /**
   * Joins the caller's calls of one import, which then have one audit event with the sum: a UUID, or any 1 to 64
   * letters, digits, hyphens and underscores. Default: the call is an import of its own.
   */
  importId?: string | undefined;
  /**
   * Whether further calls of the same import follow. The last call, for which it is false, writes the event, and so
   * does one that fails; the last may be empty. Needs the import's id. Default false.
   */
  more?: boolean | undefined;
  /** Whether to only check the file and count its lines, without storing anything. Default false. */
  dryRun?: boolean | undefined;
  /**
   * The line to begin at, to continue an import that was interrupted. The first line holds the names of the columns.
   * Default 1.
   */
  fromLine?: number | undefined;
}

/** What `export` takes. */
export interface ExportSuppressionsInput {
  /**
   * Format of the export: CSV, or NDJSON with one JSON object per line, which keeps all values unchanged. Default
   * csv, or over HTTP the one of them that `Accept` prefers.
   */
  format?: "csv" | "ndjson" | undefined;
}

/** Addresses and domains that are not sent to. */
export interface SuppressionsVerbs<K extends CallShapes = CallShapes> {
  /** Lists the workspace's suppressions, newest first, without expired ones (platform.md P8). */
  list(this: void, input?: ListSuppressionsInput, ...call: K["workspace"]): Promise<Page<SuppressionView>>;
  /** Returns one suppression of an address or a domain, by its scope (platform.md P8). */
  get(this: void, input: GetSuppressionInput, ...call: K["workspace"]): Promise<SuppressionView>;
  /**
   * Suppresses an address or a whole domain (platform.md P8). An existing suppression is returned unchanged, unless
   * it would expire earlier: then its end is extended to this one's.
   */
  create(this: void, input: CreateSuppressionInput, ...call: K["workspace"]): Promise<CreatedSuppression>;
  /**
   * Deletes a suppression (platform.md P8). If a complaint caused it, the permission `suppressions:release` is
   * needed.
   *
   * May refuse with `suppression_protected`.
   */
  delete(this: void, input: GetSuppressionInput, ...call: K["workspace"]): Promise<void>;
  /** Checks which of up to 1,000 addresses are suppressed, by the rules that apply to sending (platform.md P8). */
  check(this: void, input: CheckSuppressionsInput, ...call: K["workspace"]): Promise<SuppressionCheck[]>;
  /**
   * Suppresses the addresses of a file (platform.md P8), a thousand per transaction: those stored stay even if a
   * later line can't be read, and importing a file twice is safe. One event tells of all that was stored. Recognises
   * exports of Amazon SES, SendGrid, Postmark and Mailgun.
   *
   * May refuse with `not_found`, `payload_too_large`, `unsupported_media_type`.
   */
  import(this: void, input: ImportSuppressionsInput, ...call: K["workspace"]): Promise<SuppressionImport>;
  /**
   * Exports all suppressions in a form that can be imported again (platform.md P8). They are read in pieces while
   * they are consumed, so that suppressions added in the meantime may be included or not. In CSV, a reason that a
   * spreadsheet would take for a formula is preceded by an apostrophe; an address never is.
   */
  export(this: void, input?: ExportSuppressionsInput, ...call: K["workspace"]): Promise<FileView>;
}
