import { TemplateLimitError, TemplateSyntaxError } from "../../content/rendering/template-errors.ts";
import { AttachmentUnreadable } from "../../ports/mailer.ts";
import type { EmailRecipient } from "../../ports/storage.ts";
import { SecretUnreadable } from "../../rules/secret-box.ts";
import type { Runtime } from "../../service/runtime.ts";
import { DomainNotVerified } from "./composing/compose-mail.ts";
import { ContentUnfinished } from "./composing/render-body.ts";

/** Returns what an error before the message's transmission, or one of the mailer, means for the open recipients. */
export function judgeError(
  { logger }: Pick<Runtime, "logger">,
  { emailId, open }: { emailId: string; open: readonly Pick<EmailRecipient, "lastReply">[] },
  error: unknown,
): { outcome: "deferred" | "refused"; reply: string } {
  const about = { err: error, emailId };
  if (error instanceof DomainNotVerified) return { outcome: "refused", reply: error.message };
  if (error instanceof ContentUnfinished) return { outcome: "deferred", reply: error.message };
  if (error instanceof SecretUnreadable) {
    logger.error(about, "an e-mail could not be sent");
    // A secret that can be set anew is waited for; what the e-mail itself sealed is lost.
    return error.remedy === undefined
      ? { outcome: "refused", reply: `its sealed content can't be read: ${error.message}` }
      : { outcome: "deferred", reply: error.message };
  }
  if (error instanceof AttachmentUnreadable) {
    logger.error(about, "a file of an e-mail could not be read");
    return { outcome: error.isGone ? "refused" : "deferred", reply: error.message };
  }
  if (error instanceof TemplateLimitError || error instanceof TemplateSyntaxError) {
    // Time can also run out because the machine stood still: only an e-mail that exceeds it twice in a row is given up.
    const again = open.some(({ lastReply }) => lastReply === error.message);
    const passing = error instanceof TemplateLimitError && error.limit === "time" && !again;
    return { outcome: passing ? "deferred" : "refused", reply: error.message };
  }
  logger.error(about, "an e-mail could not be sent");
  return { outcome: "deferred", reply: "an internal error" };
}
