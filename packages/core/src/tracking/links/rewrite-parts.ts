import type { Tokenizer } from "htmlparser2";
import { joinParts, type TextParts } from "../../content/rendering/text-parts.ts";
import type { Quote } from "./find-links.ts";
import type { LinkRewrite } from "./link-rewrite.ts";
import type { CutLiterals, marks } from "./mark-links.ts";
import { createReplacer } from "./replace-value.ts";

/** A value that began at a part. */
interface Opened {
  at: number;
  quote: Quote;
}

/** A value, and the part behind it. */
interface Value extends Opened {
  end: number;
}

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
  let opened: Opened | undefined;
  /** The first value in a tag that is not read to its end yet, and whether it is tracked. */
  let first: Value | undefined;
  let isTracked = true;
  let bodyEnd: number | undefined;
  let added = rewrite.ending.length;
  const close = ({ at, end, quote }: Value): void => {
    const value = replacer.replace(joinParts({ literals, parts: parts.slice(at, end) }), quote);
    if (value === undefined) return;
    added += value.length;
    parts.splice(at, end - at, value);
  };
  const onMark = (mark: keyof typeof marks): void => {
    const value = opened && { ...opened, end: parts.length };
    opened = undefined;
    if (mark === "untracked") isTracked = false;
    else if (mark === "value") first ??= value;
    else if (mark === "end" || mark === "tag" || mark === "body") {
      if (mark === "end" && value !== undefined) close(value);
      if (mark === "tag" && first !== undefined && isTracked) close(first);
      if (mark === "body") bodyEnd = parts.length;
      first = undefined;
      isTracked = true;
    } else opened = { at: parts.length, quote: mark };
  };
  for (const part of rendered) {
    if (typeof part === "string") parts.push(part);
    else
      for (const piece of pieces[part] ?? []) {
        if (typeof piece === "number") parts.push(piece);
        else onMark(piece);
      }
  }
  const { ending } = rewrite;
  if (ending !== "") parts.splice(bodyEnd ?? parts.length, 0, ending);
  return { html: { literals, parts }, added };
}
