import { convert, type FormatCallback, type HtmlToTextOptions } from "html-to-text";
import { scanTags } from "../rendering/scan-tags.ts";

const headingTags = ["h1", "h2", "h3", "h4", "h5", "h6"];

const textOptions: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxInputLength: 2 * 1024 * 1024 },
  formatters: { cell: formatCell() },
  selectors: [
    ...headingTags.map((selector) => ({ selector, options: { uppercase: false } })),
    // Converts layout tables row by row, as a conversion as data tables would drop section tags between the rows.
    { selector: "tr", format: "block", options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: "td", format: "cell" },
    { selector: "th", format: "cell" },
    { selector: "a", options: { hideLinkHrefIfSameAsText: true } },
    { selector: "img", format: "skip" },
    // Html without `<body>` has it among its texts.
    { selector: "title", format: "skip" },
    // Preview text for lists of mails, which React Email hides, with its padding.
    { selector: "[data-skip-in-text=true]", format: "skip" },
  ],
};

/**
 * Makes the text part of a mail that has only html. Mustache tags are kept (decisions §5). Throws `TemplateSyntaxError`
 * for an unreadable tag.
 */
export function htmlToText(html: string): string {
  /** Equal tags have one number, so that a link is known whose text is its address. */
  const numbers = new Map<string, number>();
  let masked = "";
  let position = 0;
  for (const { start, end } of scanTags(html)) {
    const tag = html.slice(start, end);
    const number = numbers.get(tag) ?? numbers.size;
    numbers.set(tag, number);
    // A private use character, which no HTML parser or whitespace rule changes.
    masked += `${html.slice(position, start)}\uE000${number}\uE001`;
    position = end;
  }
  const tags = [...numbers.keys()];
  const text = withLiteralBraces(convert(masked + html.slice(position), textOptions), html);
  return text.replace(/\uE000(\d+)\uE001/g, (token, index: string) => tags[Number(index)] ?? token);
}

/** Keeps braces, which the html has as entities or with tags between them, from being read as Mustache tags. */
function withLiteralBraces(text: string, html: string): string {
  // Where the delimiters change, braces may be no tags.
  if (/\{\{\s*=/.test(html)) return text;
  return text.replace(/\{{2,}|\{+(?=\uE000)/g, (braces) => `{{=<% %>=}}${braces}<%={{ }}=%>`);
}

/** Formats a cell's own text with a blank after it, which is dropped at the end of a line. */
function formatCell(): FormatCallback {
  return (element, walk, builder) => {
    walk(element.children, builder);
    builder.addInline(" ");
  };
}
