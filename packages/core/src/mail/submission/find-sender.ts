import { ServiceError } from "../../errors.ts";
import type { Mailbox } from "../../ports/mailer.ts";
import type { SendingContext } from "../../ports/storage.ts";
import type { Config } from "../../service/options.ts";

/**
 * The sender of an e-mail: its own, else the workspace's default, else the server's (decisions §7). Throws where the workspace may not
 * send: its owner's address is not verified, or nobody vouched for it (decisions §12).
 */
export function findSender(from: Mailbox | undefined, sending: SendingContext, config: Config): Mailbox {
  const { settings } = sending;
  if (!sending.isOwnerVerified) {
    throw new ServiceError("email_not_verified", {
      message: "The workspace's owner has to verify the e-mail address first.",
    });
  }
  if (!sending.isTrusted) throw new ServiceError("workspace_not_trusted");
  const own =
    settings.defaultSenderEmail === ""
      ? undefined
      : { name: settings.defaultSenderName, address: settings.defaultSenderEmail };
  const sender = from ?? own ?? config.defaultSender;
  if (sender === undefined) throw new ServiceError("sender_missing");
  if (settings.requireVerifiedDomain) {
    throw new ServiceError("domain_not_verified", {
      message: `The domain of ${sender.address} is not verified.`,
    });
  }
  return sender;
}
