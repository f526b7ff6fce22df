/** The columns that hold texts sealed under the secret key. */
export const sealedColumns = [
  "webhooks.secret",
  "webhooks.former_secret",
  "smtp_servers.password",
  "inbound_endpoints.secret",
  "domain_keys.private_key",
  "users.totp_secret",
  "users.pending_totp_secret",
  "email_payloads.payload",
] as const;

/** A column that holds texts sealed under the secret key. */
export type SealedColumn = (typeof sealedColumns)[number];

/** A stored text that the secret key sealed. */
export interface SealedText {
  /** The number of its row, by which it is listed and replaced. */
  row: number;
  /** What it belongs to, as its context names that: a user's number, or the UUID. */
  holder: string;
  /** The selector of a domain's key; empty for any other. */
  selector: string;
  /** Empty if the row is damaged. */
  sealed: string;
  /** From when on nothing reads it any more; `undefined` for one that does not expire. */
  expiresAt: number | undefined;
}
