import type { Mailbox } from "../../ports/mailer.ts";
import type { SendFields } from "./send-fields.ts";

/** Returns the fields of an e-mail with recipients only and defaults otherwise. */
export const plainFields = (to: Mailbox[]): SendFields => ({
  to,
  cc: [],
  bcc: [],
  replyTo: [],
  headers: {},
  tags: [],
  metadata: {},
  attachments: [],
  priority: "normal",
  sensitive: false,
});
