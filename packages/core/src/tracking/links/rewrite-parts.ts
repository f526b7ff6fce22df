import type { Tokenizer } from "htmlparser2";
import { joinParts, type TextParts } from "../../content/rendering/text-parts.ts";
import type { Quote } from "./find-links.ts";
import type { LinkRewrite } from "./link-rewrite.ts";
import type { CutLiterals } from "./mark-links.ts";
import { createReplacer } from "./replace-value.ts";

/**
 * Rewrites the links of a rendered template whose html was marked, and adds to the end of its body. Marks that sections
 * left without their partner change nothing. `added` is what the html grew by at most, in UTF-16 units.
 */
export function rewriteParts(
  rendered: TextParts["parts"],
  { literals, pieces }: CutLiterals,
  { rewrite, createTokenizer }: { rewrite: LinkRewrite; createTokenizer: typeof Tokenizer },
): { html: TextParts; added: number } {
  const replacer = createReplacer(rewrite, createTokenizer);
  const parts: (number | string)[] = [];
  let opened: { at: number; quote: Quote } | undefined;
  let bodyEnd: number | undefined;
  let added = rewrite.ending.length;
  const close = ({ at, quote }: { at: number; quote: Quote }): void => {
    const value = replacer.replace(joinParts({ literals, parts: parts.slice(at) }), quote);
    if (value === undefined) return;
    added += value.length;
    parts.length = at;
    parts.push(value);
  };
  for (const part of rendered) {
    if (typeof part === "string") {
      parts.push(part);
      continue;
    }
    for (const piece of pieces[part] ?? []) {
      if (typeof piece === "number") parts.push(piece);
      else if (piece === "end") {
        if (opened !== undefined) close(opened);
        opened = undefined;
      } else {
        opened = piece === "body" ? undefined : { at: parts.length, quote: piece };
        if (piece === "body") bodyEnd = parts.length;
      }
    }
  }
  const { ending } = rewrite;
  if (ending !== "") parts.splice(bodyEnd ?? parts.length, 0, ending);
  return { html: { literals, parts }, added };
}
