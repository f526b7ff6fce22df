import type { ReadContext } from "../../calls/use-case.ts";
import { namesAbove } from "../../domains/rules/domain-name.ts";
import type { DomainStatus } from "../../ports/storage/domains.ts";
import { domainOf } from "../../rules/addresses.ts";
import type { DraftWarning, EmailDraft } from "./email-draft.ts";

type Context = Pick<ReadContext, "storage" | "runtime">;

/** The mail server that an e-mail would be handed to first. */
export interface ForeseenServer {
  /** Of a server of the workspace's own; `undefined` for the operator's. */
  smtpServerId: string | undefined;
  name: string | undefined;
}

/** How a sender's domain stands. */
export interface ForeseenDomain {
  name: string;
  /** Of the workspace's domain that stands for it; `undefined` where it has none. */
  status: DomainStatus | undefined;
  /** Whether the e-mail would be signed, by the domain's key or one of the operator's. */
  dkim: boolean;
}

/** How it stands, and whether its last check found no DMARC record that is as it should be. */
interface StandingDomain {
  domain: ForeseenDomain;
  lacksDmarc: boolean;
}

/** Mails a day above which large mailbox providers want a DMARC record of the sender's domain. */
const manyMails = 5_000;

/** Which server a checked draft would go to; `undefined` where none takes it. */
export async function foreseeServer(
  { storage }: Context,
  { carrier, sending: { workspaceId } }: EmailDraft,
): Promise<ForeseenServer | undefined> {
  if (carrier === undefined) return undefined;
  if (carrier === "platform") return { smtpServerId: undefined, name: undefined };
  const server = await storage.smtpServers.find(workspaceId, carrier);
  return { smtpServerId: carrier, name: server?.name };
}

/** How the domain of a checked draft's sender stands; `undefined` where there is no sender. */
export async function foreseeDomain(
  { storage, runtime: { mailer } }: Context,
  { from, sending: { workspaceId } }: EmailDraft,
): Promise<StandingDomain | undefined> {
  if (from === undefined) return undefined;
  const name = domainOf(from.address);
  const above = namesAbove(name);
  const known = await storage.domains.listNamed(workspaceId, above);
  const standing = above.flatMap((one) =>
    known.filter((domain) => domain.name === one && (one === name || domain.includeSubdomains)),
  );
  const signing = standing.find(({ status }) => status === "verified" || status === "warning");
  const { status, findings } = signing ?? standing[0] ?? {};
  const found = findings?.records.find(({ purpose }) => purpose === "dmarc");
  return {
    domain: { name, status, dkim: signing !== undefined || (mailer.signs?.(name) ?? false) },
    // What nobody answered for says nothing.
    lacksDmarc: found !== undefined && found.status !== "ok" && found.status !== "unreachable",
  };
}

/** What whoever sends much is warned of (platform.md P6). */
export const dmarcWarnings = (standing: StandingDomain | undefined, sentToday: number): DraftWarning[] =>
  standing?.lacksDmarc === true && sentToday > manyMails
    ? [
        {
          code: "dmarc_missing",
          message: `More than 5,000 mails go out a day, and ${standing.domain.name} has no sound DMARC record: Gmail, Yahoo and others want one.`,
          details: { used: sentToday },
        },
      ]
    : [];
