import type { SmtpReply } from "../connection/reply-reader.ts";
import { endingOf } from "./ending-of.ts";
import type { TransactionFault } from "./transaction.ts";

/** Makes the fault of a transaction that a reply ended without a verdict on the mail. */
export const troubleOf = (
  verdict: TransactionFault["verdict"],
  reply: SmtpReply,
  isContent = false,
): TransactionFault => ({
  verdict,
  isContent,
  isSlow: false,
  isTooSlow: false,
  ending: endingOf("deferred", reply),
});
