import { convert, type FormatCallback, type HtmlToTextOptions } from "html-to-text";
import { maskMark } from "../rendering/mask-tags.ts";
import { scanTags } from "../rendering/scan-tags.ts";
import { findWrappers, isAnyInSection } from "./find-undecided.ts";
import { parseHtml } from "./html-document.ts";
import { type StartTag, scanHtml } from "./scan-html.ts";

/** Blocks that the library takes for inline elements, so that the words of two would join. */
const blockTags =
  "address caption center dd details dialog dl dt figcaption figure hgroup search summary".split(" ");
const oneLine = { leadingLineBreaks: 1, trailingLineBreaks: 1 };
const headingTags = ["h1", "h2", "h3", "h4", "h5", "h6"];

/** White space, and characters that show nothing. */
const blank = String.raw`(?:[^\S\n]|[\u00ad\u034f\u200b-\u200d\u2060\ufeff])`;
/** Several lines without text, such as rows and paragraphs that are there for their height alone; also at the ends. */
const emptyLines = new RegExp(String.raw`\n(?:${blank}*\n){2,}`, "g");
const emptyEnds = new RegExp(String.raw`^(?:${blank}*\n)+|(?:\n${blank}*)+$`, "g");

/** A name that no html has, for lists whose items have numbers. */
const numbered = "posthorn-numbered";

const skipped = "[data-skip-in-text=true]";

const textOptions: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxInputLength: 2 * 1024 * 1024 },
  formatters: { alt: formatAlt(), cell: formatCell(), numbers: formatNumbers() },
  selectors: [
    ...headingTags.map((selector) => ({ selector, options: { uppercase: false } })),
    ...blockTags.map((selector) => ({ selector, format: "block", options: oneLine })),
    // Converts layout tables row by row, as a conversion as data tables would drop section tags between the rows.
    { selector: "tr", format: "block", options: oneLine },
    { selector: "td", format: "cell" },
    { selector: "th", format: "cell" },
    { selector: "ol", format: "numbers" },
    { selector: numbered, format: "orderedList" },
    { selector: "a", options: { hideLinkHrefIfSameAsText: true } },
    { selector: "img", format: "alt" },
    // Html without `<body>` has titles among its texts. What the others hold is shown nowhere.
    ...["title", "template", "iframe"].map((selector) => ({ selector, format: "skip" })),
    // Preview text for lists of mails, which React Email and others hide, with its padding.
    { selector: skipped, format: "skip" },
  ],
};

/**
 * Makes the text part of a mail that has only html. Mustache tags are kept (decisions §5). Throws `TemplateSyntaxError`
 * for an unreadable tag.
 */
export function htmlToText(source: string): string {
  const html = markHidden(source);
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
  const converted = convert(masked + html.slice(position), textOptions)
    .replace(emptyLines, "\n\n")
    .replace(emptyEnds, "");
  const text = withLiteralBraces(converted, html);
  return tidySections(
    text.replace(/\uE000(\d+)\uE001/g, (token, index: string) => tags[Number(index)] ?? token),
  );
}

/** A section's opening tag that is alone on its line. */
type OpenTag = { lineEnd: number; isAfterEmpty: boolean; emptyEnd: number | undefined };

/**
 * Changes the line breaks at section tags that are alone on their lines, and so take these along. Where a section begins
 * with a line break and does not end with one, as in `{{#lines}}<br>{{.}}{{/lines}}`, it gets another one, as its items
 * would join. Where there are empty lines before and after both of its tags, those after them are dropped: two empty
 * lines would be left.
 */
function tidySections(text: string): string {
  const open: (OpenTag | undefined)[] = [];
  const edits: { start: number; end: number; added: string }[] = [];
  for (const { kind, start, end } of scanTags(text)) {
    const isAlone = beginsLine(text, start) && text.charAt(endOfBlanks(text, end)) === "\n";
    const lineEnd = endOfBlanks(text, end) + 1;
    const tag = isAlone
      ? { lineEnd, isAfterEmpty: isAfterEmpty(text, start), emptyEnd: endOfEmpty(text, lineEnd) }
      : undefined;
    if (kind === "section" || kind === "inverted") open.push(tag);
    if (kind !== "close") continue;
    const opened = open.pop();
    if (opened === undefined) continue;
    if (!beginsLine(text, start)) {
      if (opened.emptyEnd === undefined)
        edits.push({ start: opened.lineEnd, end: opened.lineEnd, added: "\n" });
    } else if (opened.isAfterEmpty && isAfterEmpty(text, start))
      for (const one of [opened, tag])
        if (one?.emptyEnd !== undefined) edits.push({ start: one.lineEnd, end: one.emptyEnd, added: "" });
  }
  let output = "";
  let position = 0;
  for (const { start, end, added } of edits.sort((a, b) => a.start - b.start)) {
    output += text.slice(position, start) + added;
    position = end;
  }
  return output + text.slice(position);
}

/** Whether the line of an offset is the first, or behind an empty one. */
function isAfterEmpty(text: string, at: number): boolean {
  const lineStart = startOfBlanks(text, at);
  if (lineStart === 0) return true;
  const before = lineStart - 1;
  return text.charAt(before) === "\n" && beginsLine(text, before);
}

/** The offset after an empty line that begins at an offset; `undefined` if there is none. */
function endOfEmpty(text: string, from: number): number | undefined {
  const end = endOfBlanks(text, from);
  return text.charAt(end) === "\n" ? end + 1 : undefined;
}

function beginsLine(text: string, at: number): boolean {
  const start = startOfBlanks(text, at);
  return start === 0 || text.charAt(start - 1) === "\n";
}

function startOfBlanks(text: string, from: number): number {
  let start = from;
  while (isBlank(text.charAt(start - 1))) start--;
  return start;
}

function endOfBlanks(text: string, from: number): number {
  let end = from;
  while (isBlank(text.charAt(end))) end++;
  return end;
}

const isBlank = (character: string): boolean => character === " " || character === "\t";

/** Marks elements to skip that an attribute of theirs hides from every reader, whatever the values are. */
function markHidden(html: string): string {
  if (!/display\s*:\s*none|\shidden[\s=/>]/i.test(html)) return html;
  const { masked, startTags } = scanHtml(html);
  const hidden = [...startTags.values()].filter((tag) => isHidden(masked, tag));
  // Some of those that begin in a section are not in all e-mails around what they hold.
  const mayWrap = isAnyInSection(
    html,
    hidden.map(({ start }) => start),
  );
  const wrappers = mayWrap ? [...findWrappers(html, parseHtml(masked))] : [];
  const places = new Set(wrappers.map(({ startIndex }) => startIndex));
  let marked = "";
  let position = 0;
  for (const { start, nameEnd } of hidden) {
    if (places.has(start)) continue;
    marked += `${html.slice(position, nameEnd)} ${skipped.slice(1, -1)}`;
    position = nameEnd;
  }
  return marked + html.slice(position);
}

/** Whether its own style hides it or, unless that has a word for it, the attribute `hidden`. */
function isHidden(masked: string, { styles: [style], hidden, conditional }: StartTag): boolean {
  const byAttribute = hidden && !conditional.includes("hidden");
  if (style === undefined) return byAttribute;
  if (conditional.includes("style")) return false;
  const declarations = masked.slice(style.valueStart, style.valueEnd);
  if (declarations.includes(maskMark)) return false;
  const display = [...declarations.matchAll(/(?:^|;)\s*display\s*:\s*([^;]*)/gi)].at(-1)?.[1];
  return display === undefined ? byAttribute : /^none(?![\w-])/i.test(display);
}

/** Keeps braces, which the html has as entities or with tags between them, from being read as Mustache tags. */
function withLiteralBraces(text: string, html: string): string {
  // Where the delimiters change, braces may be no tags.
  if (/\{\{\s*=/.test(html)) return text;
  return text.replace(/\{{2,}|\{+(?=\uE000)/g, (braces) => `{{=<% %>=}}${braces}<%={{ }}=%>`);
}

/** Formats an image as the words that stand for it, as some e-mails have no others. */
function formatAlt(): FormatCallback {
  return ({ attribs }, _walk, builder) => {
    builder.addInline(attribs?.alt ?? "");
  };
}

/**
 * Formats a cell's own text with a blank after it, which is dropped at the end of a line. The parser takes a `<th>` for a
 * part of the cell before it, if that has no end tag.
 */
function formatCell(): FormatCallback {
  return (element, walk, builder) => {
    if (element.parent?.name === "td") builder.addInline(" ");
    walk(element.children, builder);
    builder.addInline(" ");
  };
}

/** Formats a list with numbers, unless its items are in sections: values decide how many there are. */
function formatNumbers(): FormatCallback {
  return (element, walk, builder) => {
    const isOfValues = element.children.some(({ type, data }) => type === "text" && data?.includes("\uE000"));
    walk([Object.assign(element, { name: isOfValues ? "ul" : numbered })], builder);
  };
}
