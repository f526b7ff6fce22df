import type { MailHold } from "@posthorn/core";

/**
 * Makes the hold for a message that goes to another server, because this one is silent, or disconnects before it has
 * the whole message.
 */
export const silence = (reason: string): MailHold => ({ cause: "unreachable", reason, retryAfterMs: 1000 });
