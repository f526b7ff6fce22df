import { composeContent } from "../src/content/composition.ts";
import { joinParts } from "../src/content/rendering/text-parts.ts";
import { trackComposition } from "../src/content/track-composition.ts";
import type { LinkRewrite } from "../src/tracking/links/link-rewrite.ts";
import { rewriteHtml } from "../src/tracking/links/rewrite-html.ts";

/** Writes the destinations in brackets, so that a test sees what was found, decoded and serialised. */
export const bracket: LinkRewrite = {
  replace: ({ protocol, href }) => (/^https?:$/.test(protocol) ? `[${href}]` : undefined),
  ending: "",
};

/** Rewrites the links of html that is sent as written. */
export const asWritten = (html: string, rewrite = bracket) => rewriteHtml(html, rewrite);

/** Renders a template, and rewrites its links. */
export async function asTemplate(html: string, data: object = {}, rewrite = bracket): Promise<string> {
  const composition = composeContent({ subject: "", html, text: "" });
  const tracked = await trackComposition(composition, composeContent);
  const parts = tracked.renderBody(data, rewrite).html;
  return parts === undefined ? "" : joinParts(parts);
}
