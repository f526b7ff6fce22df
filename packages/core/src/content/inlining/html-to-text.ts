import { convert, type FormatCallback, type HtmlToTextOptions } from "html-to-text";
import { scanTags } from "../rendering/scan-tags.ts";

const headingTags = ["h1", "h2", "h3", "h4", "h5", "h6"];

const textOptions: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxInputLength: 2 * 1024 * 1024 },
  formatters: { cell: formatCell() },
  selectors: [
    ...headingTags.map((selector) => ({ selector, options: { uppercase: false } })),
    // Row by row, because a table laid out as data drops the section tags that stand between its rows.
    { selector: "tr", format: "block", options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: "td", format: "cell" },
    { selector: "th", format: "cell" },
    { selector: "a", options: { hideLinkHrefIfSameAsText: true } },
    { selector: "img", format: "skip" },
    // What React Email hides for the preview in a list of mails, with its filling.
    { selector: "[data-skip-in-text=true]", format: "skip" },
  ],
};

/**
 * Makes the text part of a mail that has only html; Mustache tags stay as they are (decisions §5). Throws
 * `TemplateSyntaxError` for an unreadable tag.
 */
export function htmlToText(html: string): string {
  const tags: string[] = [];
  let masked = "";
  let position = 0;
  for (const { start, end } of scanTags(html)) {
    // Private use characters, which no HTML parser or whitespace rule touches.
    masked += `${html.slice(position, start)}\uE000${tags.length}\uE001`;
    tags.push(html.slice(start, end));
    position = end;
  }
  const text = convert(masked + html.slice(position), textOptions);
  return text.replace(/\uE000(\d+)\uE001/g, (token, index: string) => tags[Number(index)] ?? token);
}

/** A cell's own text with a space behind it, which collapses at the end of a line. */
function formatCell(): FormatCallback {
  return (element, walk, builder) => {
    walk(element.children, builder);
    builder.addInline(" ");
  };
}
