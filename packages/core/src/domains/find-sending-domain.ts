import type { Repositories, SendingDomain } from "../ports/storage.ts";
import { namesAbove } from "./rules/domain-name.ts";

/** A workspace, and the domain of a sender's address. */
export interface SenderDomain {
  workspaceId: number;
  /** ASCII, in lower case. */
  domain: string;
}

/** A sender's domain with the sending domain that stands for it. */
export interface FoundDomain extends SenderDomain {
  found: SendingDomain;
}

/** For each sender's domain the verified domain of its workspace that stands for it: itself, or the nearest above that includes what is beneath. */
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
