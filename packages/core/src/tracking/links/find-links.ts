import type { Tokenizer } from "htmlparser2";
import { trackBodyEnd } from "./track-body-end.ts";

/** The quotes around an attribute's value, if it has any. */
export type Quote = "double" | "single" | "none";

/** A link in html: the offsets of its `href`'s value without quotes. */
export interface FoundLink {
  start: number;
  end: number;
  quote: Quote;
}

/** The links of html in order, and the offset for what is added to its body. */
export interface FoundLinks {
  links: FoundLink[];
  /** Start of the last `</body>`, or the end of the html, or of what precedes a token that it leaves open. */
  bodyEnd: number;
}

/**
 * Finds the values of `href` in the tags `a` and `area` that have no attribute `data-no-track` (platform.md P11).
 * Comments, which hold what only Outlook reads, styles and scripts have none.
 */
export function findLinks(html: string, createTokenizer: typeof Tokenizer): FoundLinks {
  const links: FoundLink[] = [];
  const body = trackBodyEnd(html);
  let isLink = false;
  let isTracked = true;
  let name = "";
  let hasHref = false;
  let href: FoundLink | undefined;
  const nameAt = (start: number, end: number): string => html.slice(start, end).toLowerCase();
  const leave = (at: number): void => {
    body.ended(at);
    if (isLink && isTracked && href !== undefined && href.end > href.start) links.push(href);
    isLink = false;
  };
  const ignore = (): void => undefined;
  const tokenizer = new createTokenizer(
    { xmlMode: false, decodeEntities: false },
    {
      onopentagname(start, end) {
        body.opening(start, end);
        isLink = /^a(?:rea)?$/i.test(html.slice(start, end));
        isTracked = true;
        hasHref = false;
        href = undefined;
      },
      onattribname(start, end) {
        name = isLink ? nameAt(start, end) : "";
        if (name === "data-no-track") isTracked = false;
        if (name !== "href") return;
        // Of several attributes of one name, the first counts, even if it is empty.
        if (hasHref) name = "";
        hasHref = true;
      },
      onattribdata(start, end) {
        if (name === "href") href = { start, end, quote: "none" };
      },
      onattribend(quote) {
        if (name === "href" && href !== undefined) href.quote = quoteOf[quote] ?? href.quote;
        name = "";
      },
      onopentagend: leave,
      onselfclosingtag: leave,
      onclosetag: body.closing,
      onattribentity: ignore,
      oncdata: (_, end) => body.ended(end),
      oncomment: (_, end) => body.ended(end),
      ondeclaration: (_, end) => body.ended(end),
      onend: ignore,
      onprocessinginstruction: (_, end) => body.ended(end),
      ontext: body.text,
      ontextentity: ignore,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return { links, bodyEnd: body.find() };
}

/** By the tokenizer's numbers; other values have no quotes. */
const quoteOf: Readonly<Record<number, Quote>> = { 2: "single", 3: "double" };
