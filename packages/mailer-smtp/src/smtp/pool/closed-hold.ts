import type { MailHold } from "@posthorn/core";

/** The hold for messages that arrive after the mailer is closed, and for those not begun when their service stops. */
export const closedHold: MailHold = { cause: "closed", reason: "the mailer is closed", retryAfterMs: 1000 };
