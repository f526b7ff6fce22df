import type { Confirmation } from "../../calls/confirmation.ts";

/** What came of ending several sessions at once. */
export interface RevokedSessions extends Confirmation {
  /** Sessions that were ended by this call. */
  revoked: number;
}
