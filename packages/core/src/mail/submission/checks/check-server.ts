import { ServiceError } from "../../../errors.ts";
import { domainOf } from "../../../rules/addresses.ts";
import { chooseServers } from "../../rules/choose-servers.ts";
import { steersRelay } from "../../rules/header-fields.ts";
import { serversRoute } from "../../rules/routes.ts";
import type { Check, EmailDraft } from "../email-draft.ts";

/**
 * Determines the servers that may carry the e-mail, and so its route (platform.md P5): the requested one, or those that
 * accept the sender.
 */
export const checkServer: Check = (draft, { runtime: { mailer } }) => {
  const { from, isSigned, ownServersOnly, fields, reasons } = draft;
  const { workspaceId, servers, settings } = draft.workspace;
  const { smtpServerId } = fields;
  // Without a sender, which has a reason of its own, no server can be chosen.
  if (from === undefined) return;
  if (smtpServerId !== undefined && !servers.some(({ id }) => id === smtpServerId)) {
    reasons.push(
      new ServiceError("no_smtp_server", {
        message: `The workspace has no active mail server ${smtpServerId}.`,
      }),
    );
    return;
  }
  const domain = domainOf(from.address);
  const carriers = chooseServers(servers, {
    domain,
    pinned: smtpServerId,
    platformServer: settings.platformServer,
    ownServersOnly,
    isSigned: isSigned || (servers.length > 0 && (mailer.signs?.(domain) ?? false)),
  });
  if (carriers.length === 0)
    reasons.push(
      ownServersOnly
        ? withoutOwnServer(draft)
        : new ServiceError("no_smtp_server", {
            message: `No mail server of the workspace accepts mail from ${domain}, and the operator's may not be used.`,
          }),
    );
  const [first] = carriers;
  draft.carrier = typeof first === "object" ? first.id : first;
  draft.route = serversRoute(
    workspaceId,
    carriers.map((carrier) => (carrier === "platform" ? 0 : carrier.row)),
  );
};

/** Names the field that keeps the e-mail from the operator's server, if its sender does not. */
function withoutOwnServer({ isSigned, fields }: EmailDraft): ServiceError {
  const steering = Object.keys(fields.headers).find(steersRelay);
  if (!isSigned || steering === undefined) return new ServiceError("workspace_not_trusted");
  return new ServiceError("workspace_not_trusted", {
    message: `${steering} tells a relay what to do. The operator has not vouched for this workspace yet; until then it can be sent only through a mail server of its own that it logs in to.`,
  });
}
