import type { Confirmation } from "../../calls/confirmation.ts";

/** Result of revoking several sessions. */
export interface RevokedSessions extends Confirmation {
  /** Number of sessions that this call revoked. */
  revoked: number;
}
