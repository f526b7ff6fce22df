import type { MailHold } from "@posthorn/core";

/** Makes the hold for a message whose turns the server's limits used up. */
export const limitedHold = (reason: string): MailHold => ({ cause: "limited", reason, retryAfterMs: 5000 });
