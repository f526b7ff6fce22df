import type { TemplateTag } from "../rendering/scan-tags.ts";
import type { StartTag, StyleAttribute } from "./scan-html.ts";

type Section = { begin: TemplateTag; end: TemplateTag };

/** The text of a style attribute, and the quotes around it. */
export type StyleText = { text: string; quote: string };

/**
 * Returns the text of a single style attribute that each e-mail has, for a start tag whose style attributes are in
 * sections: their values, each within its sections. `undefined` for any other start tag, or if a section does not both
 * begin and end within it. `tags` are all of the html.
 */
export function conditionalStyle(
  html: string,
  { start, end, styles }: StartTag,
  tags: readonly TemplateTag[],
): StyleText | undefined {
  const sections = readSections(tags.filter((tag) => tag.start >= start && tag.start < end));
  const [first] = styles;
  if (sections === undefined || first === undefined) return undefined;
  const around = ({ start }: { start: number }): Section[] =>
    sections.filter(({ begin, end }) => begin.start < start && start < end.start);
  if (around(first).length === 0) return undefined;
  const quote = styles.every((style) => quoteOf(html, style) === "'") ? "'" : '"';
  const textOf = ({ start, end }: { start: number; end: number }): string => html.slice(start, end);
  // Of several attributes the first counts, and of several declarations the last.
  const texts = styles.toReversed().map((style) => {
    // An entity at its end has a semicolon, too.
    const value = valueWithin(quote, html, style)
      .trimEnd()
      .replace(/(?<!&#?\w{1,10});$|$/, ";");
    const within = around(style);
    const begins = within.map(({ begin }) => textOf(begin)).join("");
    const ends = within.map(({ end }) => textOf(end)).toReversed();
    return begins + value + ends.join("");
  });
  return { text: texts.join(""), quote };
}

/** Pairs the tags of sections, outer ones first. */
function readSections(tags: readonly TemplateTag[]): Section[] | undefined {
  const sections: Section[] = [];
  const open: TemplateTag[] = [];
  for (const tag of tags) {
    if (tag.kind === "delimiters") return undefined;
    if (tag.kind === "section" || tag.kind === "inverted") open.push(tag);
    if (tag.kind !== "close") continue;
    const begin = open.pop();
    if (begin === undefined) return undefined;
    sections.push({ begin, end: tag });
  }
  return open.length === 0 ? sections.sort((a, b) => a.begin.start - b.begin.start) : undefined;
}

/** Returns the text of a start tag's first style attribute. */
export function styleText(html: string, style: StyleAttribute): StyleText {
  const quote = quoteOf(html, style);
  return { text: valueWithin(quote, html, style), quote };
}

/** The quotes that an attribute has, as its value may contain the other kind, also inside placeholders. */
const quoteOf = (html: string, { valueStart }: StyleAttribute): string =>
  html.charAt(valueStart - 1) === "'" ? "'" : '"';

/** The value of an attribute, to be written within these quotes: one that has others, or none, may contain them. */
function valueWithin(quote: string, html: string, { valueStart, valueEnd }: StyleAttribute): string {
  const value = html.slice(valueStart, valueEnd);
  return html.charAt(valueStart - 1) === quote ? value : value.replaceAll('"', "&quot;");
}
