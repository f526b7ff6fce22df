// Printed by `npm run docs:routes` from the table of routes.

/** `Suppression` of the API. */
export interface Suppression {
  /** The address, or `@` and a domain. */
  email: string;
  /** What it suppresses: `*` for everything, or the name of a list. */
  scope: string;
  /** Where it came from. */
  origin: "manual" | "bounce" | "complaint" | "unsubscribe" | "import";
  /** Why, in words. */
  reason: string;
  /** The e-mail that led to it; null where none did. */
  email_id: string | null;
  /** The user who made it; null once that user is gone. */
  created_by: number | null;
  /** When it was made. */
  created_at: string;
  /** When it ends; null for never. */
  expires_at: string | null;
}

/** `SuppressionCheck` of the API. */
export interface SuppressionCheck {
  /** An e-mail address. */
  email: string;
  /** Whether nothing would be sent to it. */
  suppressed: boolean;
  /** What suppresses it, its own entry or its domain's; null for nothing. */
  origin: "manual" | "bounce" | "complaint" | "unsubscribe" | "import" | null;
  /** Since when; null where it is not suppressed. */
  since: string | null;
}

/** `SuppressionImport` of the API. */
export interface SuppressionImport {
  /** Entries that are new. */
  added: number;
  /** Entries that existed already, and now last longer. */
  updated: number;
  /** Entries that existed already. */
  unchanged: number;
  /** The first 1,000 lines that were left out. */
  rejected: {
    /** The line's number, from 1. */
    line: number;
    /** The faulty value, as it is in the file. */
    value: string;
    /** What happened, in words for people. */
    message: string;
  }[];
  /** How many lines were left out. */
  rejected_total: number;
  /** The last line that was read. */
  last_line: number;
}
