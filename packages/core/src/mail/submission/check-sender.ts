import { ServiceError } from "../../errors.ts";
import type { Mailbox } from "../../ports/mailer.ts";
import type { SendingContext } from "../../ports/storage.ts";
import { domainOf } from "../../rules/addresses.ts";
import type { Check, EmailDraft } from "./email-draft.ts";

/** Whether a send looks up the sender's domain: the choice of a server depends on the signature, too. */
export const asksDomain = ({ isTrusted, settings, servers }: SendingContext): boolean =>
  !isTrusted || settings.requireVerifiedDomain || servers.length > 0;

/**
 * Determines the sender: the e-mail's own, else the workspace's default, else the server's (decisions §7). Also checks
 * whether the workspace may send: its owner's address must be verified; and if its settings require it, or nobody
 * vouched for the workspace (decisions §12), the sender's domain must be a verified one of its own.
 */
export const checkSender: Check = (draft, { config, sending: { lookups } }) => {
  const { sending, fields, reasons } = draft;
  if (!sending.isOwnerVerified)
    reasons.push(
      new ServiceError("email_not_verified", {
        message: "The workspace's owner has to verify their e-mail address first.",
      }),
    );
  draft.from = fields.from ?? defaultSenderOf(sending.settings, config.defaultSender);
  draft.requiresDomain = !sending.isTrusted || sending.settings.requireVerifiedDomain;
  if (draft.from === undefined) reasons.push(new ServiceError("sender_missing"));
  else if (asksDomain(sending)) return checkDomain(draft, domainOf(draft.from.address), lookups);
};

async function checkDomain(
  draft: EmailDraft,
  domain: string,
  lookups: Parameters<Check>[1]["sending"]["lookups"],
): Promise<void> {
  const { workspaceId, isTrusted } = draft.sending;
  draft.isSigned = (await lookups.findSendingDomain({ workspaceId, domain })) !== undefined;
  if (draft.isSigned || !draft.requiresDomain) return;
  draft.reasons.push(
    isTrusted
      ? new ServiceError("domain_not_verified", {
          message: `The domain of ${draft.from?.address ?? ""} is not verified.`,
        })
      : new ServiceError("workspace_not_trusted"),
  );
}

/** Returns the workspace's default sender. One with a name alone has the server's address. */
function defaultSenderOf(
  { defaultSenderName, defaultSenderEmail }: SendingContext["settings"],
  ofServer: Mailbox | undefined,
): Mailbox | undefined {
  if (defaultSenderEmail !== "") return { name: defaultSenderName, address: defaultSenderEmail };
  if (defaultSenderName === "" || ofServer === undefined) return ofServer;
  return { name: defaultSenderName, address: ofServer.address };
}
