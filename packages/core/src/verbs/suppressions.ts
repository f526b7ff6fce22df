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
  fromDate?: string | Date | number | undefined;
  /** Only those made before this time or date, ISO 8601. */
  toDate?: string | Date | number | undefined;
}

/** What `get` and `delete` take. */
export interface GetSuppressionInput {
  /** An address, `a@b.example`, or a whole domain, `@b.example`. */
  email: string;
  /** Which of the address's entries: `*`, or the name of a list. Default `*`. */
  scope?: "*" | string | undefined;
}

/** What `create` takes. */
export interface CreateSuppressionInput {
  /** An address, `a@b.example`, or a whole domain, `@b.example`. */
  email: string;
  /** What it stops: `*` for everything, or the name of a list. Default `*`. */
  scope?: "*" | string | undefined;
  /** Why, for those who read it later; at most 500 characters. */
  reason?: string | undefined;
  /** When it ends, ISO 8601 with an offset. Default: never. */
  expiresAt?: string | Date | number | undefined;
}

/** What `check` takes. */
export interface CheckSuppressionsInput {
  /** 1 to 1,000 addresses. */
  emails: string[];
  /** For mail of this list; `*`: for mail of none. Default `*`. */
  scope?: "*" | string | undefined;
}

/** What `import` takes. */
export interface ImportSuppressionsInput {
  /** The file: bytes, or a stream of them, at most 64 MiB. Over HTTP the body as it is. */
  content: Uint8Array | AsyncIterable<Uint8Array>;
  /**
   * How it is written: `text/csv`, or `application/x-ndjson` with a JSON object a line. Over HTTP the header
   * Content-Type. Default `text/csv`.
   */
  contentType?: string | undefined;
  /** Bytes, where they are known beforehand: what is too large is then refused before it is read. */
  size?: number | undefined;
  /** Whether nothing is kept, and only told what would be. Default false. */
  dryRun?: boolean | undefined;
  /** The line to begin at, to go on where an import ended. The first names the columns. Default 1. */
  fromLine?: number | undefined;
}

/** What `export` takes. */
export interface ExportSuppressionsInput {
  /** How it is written: CSV, or a JSON object a line, which changes nothing. Default csv. */
  format?: "csv" | "ndjson" | undefined;
}

/** Addresses that nothing is sent to. */
export interface SuppressionsVerbs<K extends CallShapes = CallShapes> {
  /** The workspace's suppressions, newest first, without expired ones (platform.md P8). */
  list(input?: ListSuppressionsInput, ...call: K["workspace"]): Promise<Page<SuppressionView>>;
  /** One suppression of an address or a domain, by its scope (platform.md P8). */
  get(input: GetSuppressionInput, ...call: K["workspace"]): Promise<SuppressionView>;
  /**
   * Suppresses an address, or a whole domain (platform.md P8). An existing suppression is returned as it is, unless
   * it would end earlier: then it is extended to this one's end.
   */
  create(input: CreateSuppressionInput, ...call: K["workspace"]): Promise<CreatedSuppression>;
  /**
   * Removes a suppression (platform.md P8). One that a complaint caused needs the permission `suppressions:release`.
   *
   * May refuse with `suppression_protected`.
   */
  delete(input: GetSuppressionInput, ...call: K["workspace"]): Promise<void>;
  /** Checks which of up to 1,000 addresses are suppressed, as a send would find them (platform.md P8). */
  check(input: CheckSuppressionsInput, ...call: K["workspace"]): Promise<SuppressionCheck[]>;
  /**
   * Suppresses the addresses of a file (platform.md P8), a thousand at a time: those stored stay, even if a later
   * line can't be read, and a file can be imported again. Recognises exports of Amazon SES, SendGrid, Postmark and
   * Mailgun.
   *
   * May refuse with `payload_too_large`, `unsupported_media_type`.
   */
  import(input: ImportSuppressionsInput, ...call: K["workspace"]): Promise<SuppressionImport>;
  /**
   * All suppressions, ready to import again (platform.md P8). They are read in pieces as they are consumed; those
   * added meanwhile may be included or not. In CSV a reason that a spreadsheet would take for a formula is preceded
   * by an apostrophe, an address never.
   */
  export(input?: ExportSuppressionsInput, ...call: K["workspace"]): Promise<FileView>;
}
