import { eraseRecipient } from "./erase-recipient.ts";
import { exportRecipient } from "./export-recipient.ts";

/** Those a workspace sent to: what is held about them, and how it goes. */
export const recipients = { export: exportRecipient, erase: eraseRecipient } as const;
