// Printed by `npm run docs:routes` from the table of routes.

/** `Suppression` of the API. */
export interface Suppression {
  /** The address, or `@` and a domain. */
  email: string;
  /** Scope of the suppression: `*` for everything, or the name of a list. */
  scope: string;
  /** Origin of the suppression. */
  origin: "manual" | "bounce" | "complaint" | "unsubscribe" | "import";
  /** Reason, for people. */
  reason: string;
  /** Id of the e-mail that led to it; null for none. */
  email_id: string | null;
  /** Id of the user who created it; null once that user is deleted. */
  created_by: number | null;
  /** Time of creation. */
  created_at: string;
  /** Time of expiry; null for never. */
  expires_at: string | null;
}

/** `SuppressionCheck` of the API. */
export interface SuppressionCheck {
  /** An e-mail address. */
  email: string;
  /** Whether mail to the address would be suppressed. */
  suppressed: boolean;
  /** Origin of the suppression, its own or its domain's; null for none. */
  origin: "manual" | "bounce" | "complaint" | "unsubscribe" | "import" | null;
  /** Time since which it is suppressed; null if it is not. */
  since: string | null;
}

/** `SuppressionImport` of the API. */
export interface SuppressionImport {
  /** Number of new entries. */
  added: number;
  /** Number of existing entries that now last longer. */
  updated: number;
  /** Number of existing entries left unchanged. */
  unchanged: number;
  /** The first 1,000 rejected lines. */
  rejected: {
    /** Line number, from 1. */
    line: number;
    /** The invalid value, as in the file. */
    value: string;
    /** Description of what happened, for people. */
    message: string;
  }[];
  /** Number of rejected lines. */
  rejected_total: number;
  /** Number of the last line read. */
  last_line: number;
}
