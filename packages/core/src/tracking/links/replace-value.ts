import type { Tokenizer } from "htmlparser2";
import { escapeHtml } from "../../content/rendering/escape-html.ts";
import { decodeAttribute } from "./decode-attribute.ts";
import type { Quote } from "./find-links.ts";
import { type LinkRewrite, maxTrackedLinks } from "./link-rewrite.ts";

/** What ends a value of each kind: a value that holds it is not one value, but html of its own. */
const endOf: Readonly<Record<Quote, RegExp>> = { double: /"/, single: /'/, none: /[\s>]/ };

/** Replaces the values of links in one message, and counts the links. */
export interface LinkReplacer {
  /** Returns what replaces the value of a link's `href`, escaped; `undefined` if it stays as it is. */
  replace(value: string, quote: Quote): string | undefined;
}

/** Creates the replacer for one rendering of a message. */
export function createReplacer(rewrite: LinkRewrite, createTokenizer: typeof Tokenizer): LinkReplacer {
  let links = 0;
  return {
    replace(value, quote) {
      if (links === maxTrackedLinks || endOf[quote].test(value)) return undefined;
      const address = decodeAttribute(value, createTokenizer);
      const url = address === undefined ? undefined : absoluteUrl(address);
      const replaced = url === undefined ? undefined : rewrite.replace(url, links);
      if (replaced === undefined) return undefined;
      links += 1;
      return escapeHtml(replaced);
    },
  };
}

/**
 * Parses an address that leads to the same place from every document; `undefined` for others. Without its slashes,
 * `https:shop` is a path where the document's own address, or its `<base>`, has that scheme.
 */
function absoluteUrl(address: string): URL | undefined {
  const url = URL.parse(address);
  if (url === null) return undefined;
  return URL.parse(address, `${url.protocol}//elsewhere.invalid/`)?.href === url.href ? url : undefined;
}
