// Printed by `npm run docs:routes` from the table of routes.

/** `Erasure` of the API. */
export interface Erasure {
  /** Number of e-mails to the address. */
  emails: number;
  /** Number of campaigns with the address on their list. */
  campaigns: number;
  /**
   * Number of events that name the address, among the workspace's latest 20,000; the others are searched in the
   * background.
   */
  events: number;
}
