import type { ReadContext } from "../calls/use-case.ts";
import type { DraftWarning, EmailDraft } from "../mail/submission/email-draft.ts";
import { domainOf } from "../rules/addresses.ts";
import { decideTracking } from "./decide-tracking.ts";
import { trackingBase } from "./links/link-rewrite.ts";

/** Returns what keeps recipients' mail programs from the links and the image of a tracked e-mail. */
export async function trackingWarnings(
  draft: EmailDraft,
  { sending: { lookups }, config }: Pick<ReadContext, "sending" | "config">,
): Promise<DraftWarning[]> {
  // A tracking host has the scheme of the base URL, so that one without fault needs no look-up.
  if (decideTracking(draft) === undefined || baseUrlFault(config.baseUrl) === undefined) return [];
  const { workspaceId } = draft.sending;
  const domain =
    draft.from === undefined
      ? undefined
      : await lookups.findSendingDomain({ workspaceId, domain: domainOf(draft.from.address) });
  const base = trackingBase(config, domain?.trackingDomain);
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
