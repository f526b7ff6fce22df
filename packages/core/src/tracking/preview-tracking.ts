import type { ReadContext } from "../calls/use-case.ts";
import type { DraftWarning, EmailDraft } from "../mail/submission/email-draft.ts";
import { domainOf } from "../rules/addresses.ts";
import { decideTracking } from "./decide-tracking.ts";
import { createLinkRewrite, type LinkRewrite, trackingBase } from "./links/link-rewrite.ts";
import { tokenLengths } from "./rules/tracking-token.ts";

/** What tracking would do to an e-mail. */
interface TrackingPreview {
  /** How its links would be rewritten: with addresses as long as those that are sent. */
  rewrite: LinkRewrite;
  /** What keeps recipients' mail programs from the links and the image. */
  warnings: DraftWarning[];
}

/** Returns what tracking would do to a checked draft; `undefined` if nothing is tracked. */
export async function previewTracking(
  draft: EmailDraft,
  { acceptance: { lookups }, config }: Pick<ReadContext, "acceptance" | "config">,
): Promise<TrackingPreview | undefined> {
  const tracking = decideTracking(draft);
  if (tracking === undefined) return undefined;
  const { workspaceId } = draft.workspace;
  const domain =
    draft.from === undefined
      ? undefined
      : await lookups.findSendingDomain({ workspaceId, domain: domainOf(draft.from.address) });
  // It has no row before it is accepted, and a token's length depends on the link alone.
  const subject = { row: 0, position: undefined, ...tracking };
  const making = { trackingTokens: tokenLengths, config };
  return {
    rewrite: createLinkRewrite(making, subject, domain?.trackingDomain),
    warnings: warningsOf(trackingBase(config, domain?.trackingDomain)),
  };
}

function warningsOf(base: string): DraftWarning[] {
  const fault = baseUrlFault(base);
  if (fault === undefined) return [];
  const message = `The e-mail is tracked, and the base URL of its links ${fault}.`;
  return [{ code: "tracking_base_url", message, details: { base_url: base } }];
}

/** Returns why links with this base URL would not work for recipients; `undefined` if they do. */
export function baseUrlFault(baseUrl: string): string | undefined {
  const { protocol, hostname } = new URL(baseUrl);
  if (/^(?:(?:.*\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname))
    return "is reached from this machine only: they would not work elsewhere";
  return protocol === "https:"
    ? undefined
    : "has no https: mail programs may warn of them, or not load the image";
}
