import type { Tokenizer } from "htmlparser2";
import { findLinks } from "./find-links.ts";
import type { LinkRewrite } from "./link-rewrite.ts";
import { createReplacer } from "./replace-value.ts";

/**
 * Rewrites the links of html that is sent as written, and adds to the end of its body. `inTurn` does the work, now or
 * later.
 */
export async function rewriteHtml(
  html: string,
  rewrite: LinkRewrite,
  inTurn: (work: () => string) => string | Promise<string> = (work) => work(),
): Promise<string> {
  const { Tokenizer } = await import("htmlparser2");
  return await inTurn(() => rewriteWith(Tokenizer, html, rewrite));
}

function rewriteWith(createTokenizer: typeof Tokenizer, html: string, rewrite: LinkRewrite): string {
  const { links, bodyEnds } = findLinks(html, createTokenizer);
  const bodyEnd = bodyEnds.at(-1) ?? html.length;
  const replacer = createReplacer(rewrite, createTokenizer);
  let text = "";
  let position = 0;
  const copyTo = (end: number): void => {
    text += html.slice(position, end);
    position = end;
  };
  let isEnded = false;
  const addEnding = (): void => {
    copyTo(bodyEnd);
    text += rewrite.ending;
    isEnded = true;
  };
  for (const { hrefs, untracked } of links) {
    const [href] = hrefs;
    if (href === undefined || untracked.length > 0) continue;
    const { start, end, quote } = href;
    // A link may stand behind the last </body>.
    if (!isEnded && start > bodyEnd) addEnding();
    const value = replacer.replace(html.slice(start, end), quote);
    if (value === undefined) continue;
    copyTo(start);
    text += value;
    position = end;
  }
  if (!isEnded) addEnding();
  copyTo(html.length);
  return text;
}
