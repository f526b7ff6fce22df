// Printed by `npm run docs:routes` from the table of routes.

/** `Erasure` of the API. */
export interface Erasure {
  /** E-mails to the address. */
  emails: number;
  /** Campaigns that have it on their list. */
  campaigns: number;
  /** Of the workspace's latest 20,000 events those that name it; the others are looked through in the background. */
  events: number;
}
