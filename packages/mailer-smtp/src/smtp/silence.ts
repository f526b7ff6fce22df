import type { MailHold } from "@posthorn/core";

/** Why a message goes to another server, where this one says nothing, or breaks off before it has all of it. */
export const silence = (reason: string): MailHold => ({ cause: "unreachable", reason, retryAfterMs: 1000 });
