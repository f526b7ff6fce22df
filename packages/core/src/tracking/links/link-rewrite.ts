import type { Config } from "../../service/options.ts";
import type { TrackedRecipient, TrackingTokens } from "../rules/tracking-token.ts";

/** Maximum tracked links of one e-mail; further ones stay as written. Each costs microseconds at every attempt. */
export const maxTrackedLinks = 1_000;

/**
 * Maximum characters of a link that is tracked; a longer one stays as written. The redirect names it in one header of the
 * reply, of whose headers nginx takes 4 KiB by default: behind it, longer links were dead.
 */
const maxUrl = 3_500;
/** Number of the link that no human sees; others have smaller ones. */
export const trapLink = 0xffff;

/** How the links of one e-mail are rewritten. */
export interface LinkRewrite {
  /**
   * Returns the address in place of a link's, which is the message's `number`th tracked one, from 0; `undefined` for a
   * link that stays as it is.
   */
  replace(url: URL, number: number): string | undefined;
  /** Html for the end of the body. */
  readonly ending: string;
}

interface Tracked extends TrackedRecipient {
  opens: boolean;
  clicks: boolean;
  trap: boolean;
}

/**
 * Creates the rewriting of one e-mail's html (platform.md P11), which gives the same at every attempt. `trackingDomain`
 * is the verified tracking host of the sender's domain, if there is one.
 */
export function createLinkRewrite(
  {
    trackingTokens,
    config,
  }: { trackingTokens: Pick<TrackingTokens, "make">; config: Pick<Config, "baseUrl" | "trackingHost"> },
  { row, position, opens, clicks, trap }: Tracked,
  trackingDomain: string | undefined,
): LinkRewrite {
  const { baseUrl } = config;
  const base = trackingBase(config, trackingDomain);
  const unsubscribing = new URL(`${baseUrl}/u/`).href;
  const clickOn = (link: number, url: string): string =>
    `${base}/c/${trackingTokens.make({ row, position, kind: "click", link, url })}`;
  return {
    replace({ protocol, href }, number) {
      if (!clicks || href.length > maxUrl || href.startsWith(unsubscribing)) return undefined;
      if (protocol !== "https:" && protocol !== "http:") return undefined;
      return clickOn(number, href);
    },
    ending:
      (trap ? `<a href="${clickOn(trapLink, new URL(baseUrl).href)}" ${hidden}></a>` : "") +
      (opens
        ? `<img src="${base}/o/${trackingTokens.make({ row, position, kind: "open" })}.gif" ${dot}>`
        : ""),
  };
}

/** Returns the base URL on the tracking host, if there is one. */
export function trackingBase(
  { baseUrl, trackingHost }: Pick<Config, "baseUrl" | "trackingHost">,
  trackingDomain: string | undefined,
): string {
  const base = baseUrl.replace(/\/+$/, "");
  // A link to a host that the operator gave up would be dead for good, and the domain's next check may be a day away.
  if (trackingDomain === undefined || trackingHost === undefined) return base;
  const { protocol, pathname } = new URL(base);
  return `${protocol}//${trackingDomain}${pathname.replace(/\/+$/, "")}`;
}

const hidden = 'style="display:none" aria-hidden="true" tabindex="-1"';
const dot = 'width="1" height="1" alt="" style="border:0"';
