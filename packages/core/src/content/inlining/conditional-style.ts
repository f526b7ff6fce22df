import type { TemplateTag } from "../rendering/scan-tags.ts";
import type { StartTag, StyleAttribute } from "./scan-html.ts";

type Section = { begin: TemplateTag; end: TemplateTag };

/**
 * Returns the text of a single style attribute that each e-mail has, for a start tag whose style attributes are in
 * sections: their values, each within its sections. `undefined` for any other start tag, or if a section does not both
 * begin and end within it, or the attributes' quotes differ. `tags` are all of the html.
 */
export function conditionalStyle(
  html: string,
  { start, end, styles }: StartTag,
  tags: readonly TemplateTag[],
): string | undefined {
  const sections = readSections(tags.filter((tag) => tag.start >= start && tag.start < end));
  const [first] = styles;
  if (sections === undefined || first === undefined) return undefined;
  const around = ({ start }: { start: number }): Section[] =>
    sections.filter(({ begin, end }) => begin.start < start && start < end.start);
  if (around(first).length === 0) return undefined;
  if (styles.some((style) => quoteOf(html, style) !== quoteOf(html, first))) return undefined;
  const textOf = ({ start, end }: { start: number; end: number }): string => html.slice(start, end);
  // Of several attributes the first counts, and of several declarations the last.
  return styles
    .toReversed()
    .map((style) => {
      // An entity at its end has a semicolon, too.
      const value = quotableValue(html, style)
        .trimEnd()
        .replace(/(?<!&#?\w{1,10});$|$/, ";");
      const within = around(style);
      const begins = within.map(({ begin }) => textOf(begin)).join("");
      const ends = within.map(({ end }) => textOf(end)).toReversed();
      return begins + value + ends.join("");
    })
    .join("");
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

/** The quotes that an attribute has, as its value may contain the other kind, also inside placeholders. */
export const quoteOf = (html: string, { valueStart }: StyleAttribute): string =>
  html.charAt(valueStart - 1) === "'" ? "'" : '"';

/** The value of an attribute, to be written within those quotes: one without quotes may contain some. */
export function quotableValue(html: string, { valueStart, valueEnd }: StyleAttribute): string {
  const value = html.slice(valueStart, valueEnd);
  return /["']/.test(html.charAt(valueStart - 1)) ? value : value.replaceAll('"', "&quot;");
}
