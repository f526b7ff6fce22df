import { convert, type HtmlToTextOptions } from "html-to-text";

const HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"];

const OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxInputLength: 2 * 1024 * 1024 },
  selectors: [
    ...HEADINGS.map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: "table", format: "dataTable", options: { uppercaseHeaderCells: false } },
    { selector: "a", options: { hideLinkHrefIfSameAsText: true, ignoreHref: false } },
    { selector: "img", format: "skip" },
  ],
};

/** The text part of a mail that has only html; Mustache tags stay as they are (decisions §5). */
export function htmlToText(html: string): string {
  return convert(html, OPTIONS);
}
