import type { ReadContext } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import type { Mailbox } from "../../ports/mailer.ts";
import type { SendingContext } from "../../ports/storage.ts";
import { domainOf } from "../../rules/addresses.ts";

/** Who sends an e-mail. */
export interface Sender {
  from: Mailbox;
  /** Whether it is accepted only because the domain is verified: it is asked for again when the e-mail goes. */
  requiresDomain: boolean;
  /** Whether a key of the workspace's signs for it. Looked up only where it is asked for: false where the workspace has no servers of its own. */
  isSigned: boolean;
}

/**
 * The sender of an e-mail: its own, else the workspace's default, else the server's (decisions §7). Throws where the workspace may not
 * send: its owner's address is not verified, its settings want a verified domain and the sender's is none, or nobody vouched for it
 * (decisions §12): then, too, it sends from verified domains of its own.
 */
export async function findSender(
  { config, sending: { lookups } }: Pick<ReadContext, "config" | "sending">,
  from: Mailbox | undefined,
  sending: SendingContext,
): Promise<Sender> {
  const { settings, workspaceId } = sending;
  if (!sending.isOwnerVerified) {
    throw new ServiceError("email_not_verified", {
      message: "The workspace's owner has to verify the e-mail address first.",
    });
  }
  const own =
    settings.defaultSenderEmail === ""
      ? undefined
      : { name: settings.defaultSenderName, address: settings.defaultSenderEmail };
  const sender = from ?? own ?? config.defaultSender;
  if (sender === undefined) throw new ServiceError("sender_missing");
  const requiresDomain = !sending.isTrusted || settings.requireVerifiedDomain;
  if (!requiresDomain && sending.servers.length === 0)
    return { from: sender, requiresDomain, isSigned: false };
  const domain = domainOf(sender.address);
  const isSigned = (await lookups.findSendingDomain({ workspaceId, domain })) !== undefined;
  if (requiresDomain && !isSigned) {
    if (!sending.isTrusted) throw new ServiceError("workspace_not_trusted");
    throw new ServiceError("domain_not_verified", {
      message: `The domain of ${sender.address} is not verified.`,
    });
  }
  return { from: sender, requiresDomain, isSigned };
}
