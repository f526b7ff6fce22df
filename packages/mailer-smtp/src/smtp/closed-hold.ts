import type { MailHold } from "@posthorn/core";

/** What those are told who come when the mailer is closed, or who have not begun when their service stops. */
export const closedHold: MailHold = { cause: "closed", reason: "the mailer is closed", retryAfterMs: 1000 };
