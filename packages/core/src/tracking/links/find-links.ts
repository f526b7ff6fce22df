import type { Tokenizer } from "htmlparser2";
import { trackBodyEnd } from "./track-body-end.ts";

/** The quotes around an attribute's value, if it has any. */
export type Quote = "double" | "single" | "none";

/** The value of an attribute `href`: its offsets without quotes. */
export interface FoundHref {
  start: number;
  end: number;
  quote: Quote;
}

/** A tag that leads somewhere. */
export interface FoundLink {
  /** In the order of the tag. Of several attributes of one name, the first counts, even if it is empty. */
  hrefs: FoundHref[];
  /** Starts of its attributes `data-no-track`: it is tracked if there are none. */
  untracked: number[];
  /** The offset of the tag's `>`. */
  end: number;
}

/** The links of html in order, and the offsets for what is added to its body. */
export interface FoundLinks {
  links: FoundLink[];
  /** Start of each `</body>`; if there is none, the end of the html, or of what precedes a token that it leaves open. */
  bodyEnds: number[];
}

/**
 * Finds the values of `href` in the tags `a` and `area`, and their attributes `data-no-track` (platform.md P11).
 * Comments, which hold what only Outlook reads, styles and scripts have none.
 */
export function findLinks(html: string, createTokenizer: typeof Tokenizer): FoundLinks {
  const links: FoundLink[] = [];
  const body = trackBodyEnd(html);
  let link: Omit<FoundLink, "end"> | undefined;
  let href: FoundHref | undefined;
  const leave = (at: number): void => {
    body.ended(at);
    if (link !== undefined && link.hrefs.length > 0) links.push({ ...link, end: at });
    link = undefined;
  };
  const ignore = (): void => undefined;
  const tokenizer = new createTokenizer(
    { xmlMode: false, decodeEntities: false },
    {
      onopentagname(start, end) {
        body.opening(start, end);
        link = /^a(?:rea)?$/i.test(html.slice(start, end)) ? { hrefs: [], untracked: [] } : undefined;
      },
      onattribname(start, end) {
        href = undefined;
        const name = link === undefined ? "" : html.slice(start, end).toLowerCase();
        if (name === "data-no-track") link?.untracked.push(start);
        if (name !== "href") return;
        href = { start: end, end, quote: "none" };
        link?.hrefs.push(href);
      },
      onattribdata(start, end) {
        if (href !== undefined) Object.assign(href, { start, end });
      },
      onattribend(quote) {
        if (href !== undefined && href.end > href.start) href.quote = quoteOf[quote] ?? href.quote;
        href = undefined;
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
  return { links, bodyEnds: body.find() };
}

/** By the tokenizer's numbers; other values have no quotes. */
const quoteOf: Readonly<Record<number, Quote>> = { 2: "single", 3: "double" };
