import { ServiceError } from "../../errors.ts";
import type { Mailbox } from "../../ports/mailer.ts";
import type { SendingContext } from "../../ports/storage.ts";
import { domainOf } from "../../rules/addresses.ts";
import type { Runtime } from "../../service/runtime.ts";
import { chooseServers } from "../rules/choose-servers.ts";
import { serversRoute } from "../rules/routes.ts";

/**
 * Where an e-mail waits: by the servers that may carry it (platform.md P5). Throws `no_smtp_server` where there is none, or not the one
 * that was asked for.
 */
export function findRoute(
  { mailer }: Pick<Runtime, "mailer">,
  { workspaceId, servers, settings }: SendingContext,
  { from, isSigned, smtpServerId }: { from: Mailbox; isSigned: boolean; smtpServerId: string | undefined },
): string {
  if (smtpServerId !== undefined && !servers.some(({ id }) => id === smtpServerId)) {
    throw new ServiceError("no_smtp_server", {
      message: `The workspace has no active mail server ${smtpServerId}.`,
    });
  }
  const domain = domainOf(from.address);
  const carriers = chooseServers(servers, {
    domain,
    pinned: smtpServerId,
    platformServer: settings.platformServer,
    isSigned: isSigned || (servers.length > 0 && (mailer.signs?.(domain) ?? false)),
  });
  if (carriers.length === 0) {
    throw new ServiceError("no_smtp_server", {
      message: `No mail server of the workspace takes mail from ${domain}, and the operator's is not to be used.`,
    });
  }
  return serversRoute(
    workspaceId,
    carriers.map((carrier) => (carrier === "platform" ? 0 : carrier.row)),
  );
}
