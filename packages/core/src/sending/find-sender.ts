import { ServiceError } from "../errors.ts";
import type { Config } from "../options.ts";
import type { Mailbox } from "../ports/mailer.ts";
import type { SendingContext } from "../ports/storage.ts";

/** The sender of an e-mail: its own, else the workspace's default, else the server's (decisions §7). */
export function findSender(from: Mailbox | undefined, { settings }: SendingContext, config: Config): Mailbox {
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
