import type { DraftWarning, EmailDraft } from "../mail/submission/email-draft.ts";
import { decideTracking } from "./decide-tracking.ts";

/** Returns what keeps recipients' mail programs from the links and the image of a tracked e-mail. */
export function trackingWarnings(
  draft: EmailDraft,
  { hasHtml, baseUrl }: { hasHtml: boolean; baseUrl: string },
): DraftWarning[] {
  if (!hasHtml || decideTracking(draft) === undefined) return [];
  const fault = baseUrlFault(baseUrl);
  if (fault === undefined) return [];
  const message = `The e-mail is tracked, and the service's base URL ${fault}.`;
  return [{ code: "tracking_base_url", message, details: { base_url: baseUrl } }];
}

/** Returns why links with this base URL would not work for recipients; `undefined` if they do. */
export function baseUrlFault(baseUrl: string): string | undefined {
  const { protocol, hostname } = new URL(baseUrl);
  if (/^(?:(?:.*\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname))
    return "is reached from this machine only: the links in the e-mail would not work elsewhere";
  return protocol === "https:"
    ? undefined
    : "has no https: mail programs may warn of the links in the e-mail, or not load its image";
}
