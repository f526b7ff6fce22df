import type { Repositories, SendingDomain } from "../ports/storage.ts";
import { namesAbove } from "./rules/domain-name.ts";

/** A workspace and the domain of a sender's address. */
export interface SenderDomain {
  workspaceId: number;
  /** The domain in ASCII and lower case. */
  domain: string;
}

/** A sender's domain with the sending domain that covers it. */
export interface FoundDomain extends SenderDomain {
  found: SendingDomain;
}

/**
 * Finds, for each sender's domain, the verified domain of its workspace that covers it: the domain itself, or the
 * nearest parent that includes subdomains.
 */
export async function findSendingDomains(
  storage: Pick<Repositories, "domains">,
  asked: readonly SenderDomain[],
): Promise<FoundDomain[]> {
  const workspaces = [...new Set(asked.map(({ workspaceId }) => workspaceId))];
  const names = [...new Set(asked.flatMap(({ domain }) => namesAbove(domain)))];
  const known = await storage.domains.listSending(workspaces, names);
  return asked.flatMap(({ workspaceId, domain }) => {
    const own = known.filter((one) => one.workspaceId === workspaceId);
    const found = namesAbove(domain)
      .map((name) => own.find((one) => one.name === name && (name === domain || one.includeSubdomains)))
      .find((one) => one !== undefined);
    return found === undefined ? [] : { workspaceId, domain, found };
  });
}
