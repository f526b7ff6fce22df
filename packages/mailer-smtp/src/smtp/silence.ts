import type { MailHold } from "@posthorn/core";

/** Why a message goes to another server, where this one says nothing. */
export const silence = (reason: string): MailHold => ({ cause: "unreachable", reason, retryAfterMs: 1000 });
