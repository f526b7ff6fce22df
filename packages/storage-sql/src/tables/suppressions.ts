import type { Id } from "./columns.ts";

export interface SuppressionsTable {
  id: Id;
  workspace_id: number;
  /** `*`, or a list's slug. */
  scope: string;
  /** An address in lower case, or `@` and a domain. */
  address_key: string;
  /** The part of `address_key` behind the last `@`. */
  domain_key: string;
  address: string;
  origin: string;
  reason: string;
  /** The e-mail's uuid; it may be gone. */
  email_id: string | null;
  created_by: number | null;
  created_at: number;
  expires_at: number | null;
  replaced: number;
}

export interface SuppressionTables {
  suppressions: SuppressionsTable;
}
