import type { ReadContext } from "../../calls/use-case.ts";
import { namesAbove } from "../../domains/rules/domain-name.ts";
import type { DomainStatus } from "../../ports/storage.ts";
import { domainOf } from "../../rules/addresses.ts";
import type { DraftWarning, EmailDraft } from "./email-draft.ts";

type Context = Pick<ReadContext, "storage" | "runtime">;

/** The mail server that an e-mail would be sent through first. */
export interface ServerPreview {
  /** Id of a workspace's own server; `undefined` for the operator's. */
  smtpServerId: string | undefined;
  name: string | undefined;
}

/** State of a sender's domain. */
export interface DomainPreview {
  name: string;
  /** Status of the workspace's domain that covers it; `undefined` if there is none. */
  status: DomainStatus | undefined;
  /** Whether the e-mail would be signed, by the domain's key or one of the operator's. */
  dkim: boolean;
}

/** State of the domain, and whether its last check found no correct DMARC record. */
interface StandingDomain {
  domain: DomainPreview;
  lacksDmarc: boolean;
}

/** Mails per day above which large mailbox providers require a DMARC record. */
const manyMails = 5_000;

/** Returns the server that a checked draft would use; `undefined` if none accepts it. */
export async function previewServer(
  { storage }: Context,
  { carrier, workspace: { workspaceId } }: EmailDraft,
): Promise<ServerPreview | undefined> {
  if (carrier === undefined) return undefined;
  if (carrier === "platform") return { smtpServerId: undefined, name: undefined };
  const server = await storage.smtpServers.find(workspaceId, carrier);
  return { smtpServerId: carrier, name: server?.name };
}

/** Returns the state of the sender's domain for a checked draft; `undefined` without a sender. */
export async function previewDomain(
  { storage, runtime: { mailer } }: Context,
  { from, workspace: { workspaceId } }: EmailDraft,
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
    // A check without an answer from DNS proves nothing.
    lacksDmarc: found !== undefined && found.status !== "ok" && found.status !== "unreachable",
  };
}

/** Returns the warnings about DMARC for senders of many mails (platform.md P6). */
export const dmarcWarnings = (standing: StandingDomain | undefined, sentToday: number): DraftWarning[] =>
  standing?.lacksDmarc === true && sentToday > manyMails
    ? [
        {
          code: "dmarc_missing",
          message: `The workspace sends more than 5,000 mails a day, but ${standing.domain.name} has no valid DMARC record, which Gmail, Yahoo and others require.`,
          details: { used: sentToday },
        },
      ]
    : [];
