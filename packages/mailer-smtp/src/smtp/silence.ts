import type { MailHold } from "@posthorn/core";

/** Why a message goes to another server: this one is silent, or disconnects before it has the whole message. */
export const silence = (reason: string): MailHold => ({ cause: "unreachable", reason, retryAfterMs: 1000 });
