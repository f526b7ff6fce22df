import { createLoader } from "../../../calls/loader.ts";
import type { ClaimedEmail, SmtpServer } from "../../../ports/storage.ts";
import { domainOf } from "../../../rules/addresses.ts";
import type { Runtime } from "../../../service/runtime.ts";
import { chooseServers } from "../../rules/choose-servers.ts";
import { serversRoute } from "../../rules/routes.ts";
import type { Composed } from "../composing/compose-mail.ts";
import { holdsSinceAcceptance } from "../holds-since-acceptance.ts";

/** What carries an e-mail: a server of its workspace, or the operator's. */
export type Carrier = SmtpServer | "platform";

/** Finds what may carry e-mails at present. What is asked in one tick is one read. */
export interface CarrierFinder {
  /** Returns what may carry the e-mail, in the order of attempts; `undefined` if its workspace is gone. */
  find(claimed: ClaimedEmail, composed: Composed): Promise<Carrier[] | undefined>;
  /**
   * Returns the route on which an e-mail that was accepted for the operator's server alone has to wait instead, if it has
   * waited: its workspace may have servers for it by now, or have given the operator's up. `undefined` if there is none.
   */
  otherRoute(claimed: ClaimedEmail, composed: Composed): Promise<string | undefined>;
}

export function createCarrierFinder(
  runtime: Pick<Runtime, "storage" | "mailer" | "queueClock">,
): CarrierFinder {
  const { mailer, storage } = runtime;
  const findChoice = createLoader((ids: number[]) => storage.smtpServers.findChoices(ids), {
    ofKey: (id) => id,
    ofValue: ({ workspaceId }) => workspaceId,
  });

  async function find(
    { email: { workspaceId, smtpServerId: pinned } }: ClaimedEmail,
    { message: { from, dkim = [] }, ownServers }: Composed,
  ): Promise<Carrier[] | undefined> {
    const choice = workspaceId === undefined ? undefined : await findChoice(workspaceId);
    if (choice === undefined) return undefined;
    const domain = domainOf(from.address);
    const isSigned = dkim.length > 0 || (mailer.signs?.(domain) ?? false);
    const { servers, platformServer } = choice;
    const ownServersOnly = ownServers !== undefined;
    return chooseServers(servers, { domain, pinned, platformServer, ownServersOnly, isSigned });
  }

  return {
    find,
    async otherRoute(claimed, composed) {
      const { workspaceId } = claimed.email;
      const isBound = composed.ownServers !== undefined;
      if (workspaceId === undefined || (!isBound && holdsSinceAcceptance(runtime, claimed))) return undefined;
      const carriers = await find(claimed, composed);
      if (carriers === undefined || (isBound && carriers.length === 0)) return undefined;
      const route = serversRoute(
        workspaceId,
        carriers.map((carrier) => (carrier === "platform" ? 0 : carrier.row)),
      );
      return route === claimed.route ? undefined : route;
    },
  };
}
