import { ServiceError } from "../../../errors.ts";
import type { Mailbox } from "../../../ports/mailer.ts";
import type { SendingWorkspace } from "../../../ports/storage.ts";
import { domainOf } from "../../../rules/addresses.ts";
import { asksDomain } from "../../acceptance/find-sending-workspace.ts";
import { isOperatorsSender } from "../../is-operators-sender.ts";
import { steersRelay } from "../../rules/header-fields.ts";
import type { Check, EmailDraft } from "../email-draft.ts";

/**
 * Determines the sender: the e-mail's own, else the workspace's default, else the server's (decisions §7). Also checks
 * whether the workspace may send: its owner's address must be verified; and if its settings require it, the sender's
 * domain must be a verified one of its own. If nobody vouched for the workspace (decisions §12), mail from any other
 * domain, or on its behalf by one, or with fields that steer a relay, goes only through servers of its own, and never
 * from the operator's sender.
 */
export const checkSender: Check = (draft, context) => {
  const { config } = context;
  const { workspace, fields, reasons } = draft;
  if (!workspace.isOwnerVerified)
    reasons.push(
      new ServiceError("email_not_verified", {
        message: "The workspace's owner has to verify their e-mail address first.",
      }),
    );
  draft.from = fields.from ?? defaultSenderOf(workspace.settings, config.defaultSender);
  draft.requiresDomain = workspace.settings.requireVerifiedDomain;
  if (draft.from === undefined) reasons.push(new ServiceError("sender_missing"));
  else if (asksDomain(workspace)) return checkSenderDomain(draft, draft.from.address, context);
};

async function checkSenderDomain(
  draft: EmailDraft,
  address: string,
  { runtime: { mailer }, config, acceptance: { lookups } }: Parameters<Check>[1],
): Promise<void> {
  const { workspaceId, isTrusted, settings } = draft.workspace;
  const { sender, headers } = draft.fields;
  const isOwn = async (one: string): Promise<boolean> =>
    (await lookups.findSendingDomain({ workspaceId, domain: domainOf(one) })) !== undefined;
  draft.isSigned = await isOwn(address);
  if (!draft.isSigned && settings.requireVerifiedDomain)
    draft.reasons.push(
      new ServiceError("domain_not_verified", { message: `The domain of ${address} is not verified.` }),
    );
  if (isTrusted) return;
  const strangers = draft.isSigned ? [] : [address];
  // Readers see that a mail was sent by it on behalf of the other.
  if (sender !== undefined && !(await isOwn(sender.address))) strangers.push(sender.address);
  if (strangers.some((one) => isOperatorsSender({ mailer, config }, one)))
    draft.reasons.push(new ServiceError("workspace_not_trusted"));
  else if (strangers.length > 0 || Object.keys(headers).some(steersRelay)) draft.ownServersOnly = true;
  else draft.requiresDomain = true;
}

/** Returns the workspace's default sender. One with a name alone has the server's address. */
function defaultSenderOf(
  { defaultSenderName, defaultSenderEmail }: SendingWorkspace["settings"],
  ofServer: Mailbox | undefined,
): Mailbox | undefined {
  if (defaultSenderEmail !== "") return { name: defaultSenderName, address: defaultSenderEmail };
  if (defaultSenderName === "" || ofServer === undefined) return ofServer;
  return { name: defaultSenderName, address: ofServer.address };
}
