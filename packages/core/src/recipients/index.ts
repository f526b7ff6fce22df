import { eraseRecipient } from "./erase-recipient.ts";
import { exportRecipient } from "./export-recipient.ts";

/** Recipients of a workspace: their data, its export and erasure. */
export const recipients = { export: exportRecipient, erase: eraseRecipient } as const;
