import type { SmtpReply } from "../connection/reply-reader.ts";
import type { Ending } from "./delivery.ts";

/** Makes a recipient's outcome from a reply. */
export const endingOf = (outcome: "deferred" | "refused", { text, code }: SmtpReply): Ending => ({
  outcome,
  reply: text,
  code,
});
