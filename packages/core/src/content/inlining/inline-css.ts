import juice from "juice";
import type { Root } from "postcss";
import { maskMark } from "../rendering/mask-tags.ts";
import { scanTags } from "../rendering/scan-tags.ts";
import { TemplateSyntaxError } from "../rendering/template-errors.ts";
import { checkCss } from "../rules/check-css.ts";
import { InlineFailure } from "../rules/inline-failure.ts";
import { maxCssBytes, maxCssRules, maxHtmlDepth, maxInlinedBytes } from "../rules/inliner-limits.ts";
import { conditionalStyle, type StyleText, styleText } from "./conditional-style.ts";
import { findUndecided, isAnyInSection } from "./find-undecided.ts";
import { type DocumentElement, type HtmlDocument, parseHtml } from "./html-document.ts";
import {
  findLiveVariables,
  keepLiveStyle,
  type LiveVariables,
  variablesOfStyle,
  withoutCircular,
  withVariables,
} from "./live-variables.ts";
import { createOutlookRanges } from "./outlook-ranges.ts";
import { keepImportant, withoutImportance } from "./own-importance.ts";
import { type ScannedHtml, type StartTag, scanHtml } from "./scan-html.ts";
import { createSelectorFacts } from "./selector-facts.ts";
import { keepCss, type SelectorFacts, splitCss } from "./split-css.ts";

type Edit = { start: number; end: number; text: string };
type Sheets = { inlinable: string; live: LiveVariables; edits: Edit[] };

/**
 * Inlines the workspace's CSS and then the html's own `<style>` elements into style attributes (decisions §5). It
 * changes only start tags and `<style>` elements; every other byte, placeholders included, stays. Throws
 * `InlineFailure` if it takes too long, nests too deeply or can't be parsed.
 */
export function inlineCss(html: string, css: string): string {
  const scanned = scan(html);
  const document = parseHtml(scanned.masked);
  assertDepth(document);
  const facts = createSelectorFacts(document, findUndecided(html, document, scanned));
  hideConditional(document, scanned);
  const sheets = readSheets(html, css, document, scanned, facts);
  const edits = [...sheets.edits, ...styleEdits(html, sheets, document, scanned)];
  return applyEdits(html, edits);
}

function scan(html: string): ScannedHtml {
  try {
    return scanHtml(html);
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
    throw new InlineFailure("failed", error.message, error.line, error.column);
  }
}

function assertDepth({ elements }: HtmlDocument): void {
  const depths = new Map<unknown, number>();
  for (const element of elements()) {
    const depth = (depths.get(element.parent) ?? 0) + 1;
    if (depth > maxHtmlDepth) {
      throw new InlineFailure("too_deep", `Elements are nested deeper than ${maxHtmlDepth}.`);
    }
    depths.set(element, depth);
  }
}

/** Hides attributes that some e-mails don't have from selectors. */
function hideConditional({ elements }: HtmlDocument, scanned: ScannedHtml): void {
  for (const element of elements())
    for (const name of tagOf(element, scanned)?.conditional ?? [])
      if (name !== "style") delete element.attribs[name];
}

function readSheets(
  html: string,
  css: string,
  document: HtmlDocument,
  scanned: ScannedHtml,
  facts: SelectorFacts,
): Sheets {
  const styles = findStyles(html, document, scanned);
  const isForOutlook = createOutlookRanges(html);
  const bytes = [css, ...styles.map((style) => style.css)].reduce(
    (sum, one) => sum + Buffer.byteLength(one),
    0,
  );
  if (bytes > maxCssBytes)
    throw new InlineFailure("too_large", `The CSS is larger than ${maxCssBytes / 1024} KiB.`);
  const own: (Style & { root: Root | undefined })[] = [];
  const forSome: Root[] = [];
  for (const style of styles) {
    const root = parseLeniently(style.css);
    if (isForEveryReader(style.attributes) && isForOutlook(style.start)) own.push({ ...style, root });
    else if (root !== undefined) forSome.push(root);
  }
  // What is inlined would win over styles that the values decide, or that only mail clients can read.
  const inlines =
    own.every(({ root }) => root !== undefined) &&
    !isAnyInSection(
      html,
      own.map(({ start }) => start),
    );
  const checked = checkCss(css);
  const live = findLiveVariables(
    {
      sheets: [checked, ...own.flatMap(({ root }) => root ?? [])],
      forSome,
      styles: document.elements().flatMap(({ attribs }) => attribs.style ?? []),
    },
    facts,
  );
  const workspace = inlines ? splitCss(checked, facts, live) : keepCss(checked);
  const inlinable = [workspace.inlinable];
  const edits: Edit[] = [];
  if (workspace.kept !== "") {
    const at = placeForStyle(html, document, scanned, styles[0]?.start);
    edits.push({ start: at, end: at, text: `<style>\n${workspace.kept}\n</style>` });
  }
  for (const { start, contentStart, css, end, root } of inlines ? own : []) {
    if (root === undefined) continue;
    const split = splitCss(root, facts, live);
    inlinable.push(split.inlinable);
    edits.push(
      split.kept === ""
        ? { start, end, text: "" }
        : { start: contentStart, end: contentStart + css.length, text: `\n${split.kept}\n` },
    );
  }
  return { inlinable: inlinable.join("\n"), live, edits };
}

type Style = ReturnType<typeof findStyles>[number];

/** Returns the template's own style elements. */
function findStyles(html: string, { elements }: HtmlDocument, scanned: ScannedHtml) {
  return elements().flatMap((element) => {
    const tag = element.name === "style" ? tagOf(element, scanned) : undefined;
    const end = (element.endIndex ?? -1) + 1;
    if (tag === undefined || end <= tag.end) return [];
    const css = html.slice(tag.end, end).replace(/<\/style[^>]*>$/i, "");
    return { start: tag.start, contentStart: tag.end, css, end, attributes: element.attribs };
  });
}

function isForEveryReader(attributes: Record<string, string>): boolean {
  const media = attributes.media?.trim().toLowerCase() ?? "";
  const type = attributes.type?.trim().toLowerCase() ?? "";
  return (
    !("data-embed" in attributes) && (media === "" || media === "all") && (type === "" || type === "text/css")
  );
}

/** Parses the template's own CSS. CSS that can't be parsed stays in place, as mail clients may understand it. */
function parseLeniently(css: string): Root | undefined {
  // The marks of an html comment, once for readers that knew no styles, mean nothing in CSS.
  const bare = css.replace(/^\s*<!--|-->\s*$/g, "");
  try {
    return checkCss(bare);
  } catch (error) {
    if (error instanceof InlineFailure && error.reason === "failed") return undefined;
    throw error;
  }
}

/**
 * Returns the offset for the workspace's styles: before the template's own styles, so that those take precedence; in
 * the head if there is one, else at the top.
 */
function placeForStyle(
  html: string,
  { elements }: HtmlDocument,
  scanned: ScannedHtml,
  firstStyle: number | undefined,
) {
  const all = elements();
  const head = all.find(({ name }) => name === "head");
  const html5 = all.find(({ name }) => name === "html");
  const end =
    tagOf(head, scanned)?.end ?? tagOf(html5, scanned)?.end ?? /^\s*<!doctype[^>]*>/i.exec(html)?.[0].length;
  const inHead = firstStyle !== undefined && head?.endIndex != null && firstStyle < head.endIndex;
  return inHead && end !== undefined && firstStyle !== undefined && firstStyle > end
    ? firstStyle
    : (end ?? 0);
}

function tagOf(element: DocumentElement | undefined, scanned: ScannedHtml): StartTag | undefined {
  return element?.startIndex == null ? undefined : scanned.startTags.get(element.startIndex);
}

function styleEdits(
  html: string,
  { inlinable, live }: Pick<Sheets, "inlinable" | "live">,
  document: HtmlDocument,
  scanned: ScannedHtml,
): Edit[] {
  if (inlinable.trim() === "") return [];
  const rules = checkCss(inlinable).nodes.length;
  if (rules > maxCssRules)
    throw new InlineFailure("too_large", `The CSS has more than ${maxCssRules} rules.`);
  const hidden = hideUnreadableStyles(html, document, scanned);
  keepImportant(document, hidden);
  for (const { attribs } of document.elements())
    if (attribs.style !== undefined) attribs.style = keepLiveStyle(attribs.style, live);
  const before = new Map(document.elements().map((element) => [element, element.attribs.style]));
  for (const { attribs } of document.elements())
    if (attribs.style !== undefined) attribs.style = withoutCircular(attribs.style, live);
  juice.inlineDocument(document.$, inlinable, { inlinePseudoElements: false });
  const edits: Edit[] = [];
  let size = html.length;
  for (const [element, old] of before) {
    const style = element.attribs.style;
    const tag = tagOf(element, scanned);
    if (style === undefined || style === old || tag === undefined) continue;
    const own = hidden.get(element);
    const quote = own?.quote ?? '"';
    const inlined = withoutImportance(style, own === undefined ? { read: old ?? "" } : { hidden: own.text });
    const value =
      escapeAttribute(withVariables(inlined) + variablesOf(old)) + (own === undefined ? "" : ` ${own.text}`);
    const text = `style=${quote}${value}${quote}`;
    const [first] = tag.styles;
    if (first !== undefined && own?.isConditional !== true)
      edits.push({ start: first.start, end: first.end, text });
    else {
      edits.push({ start: tag.nameEnd, end: tag.nameEnd, text: ` ${text}` });
      edits.push(...tag.styles.map(({ start, end }) => ({ start, end, text: "" })));
    }
    size += text.length;
    if (size > maxInlinedBytes) throw outputTooLarge();
  }
  return edits;
}

type HiddenStyle = StyleText & {
  /** Whether it stands for several attributes, or one in a section. */
  isConditional: boolean;
};

/** Placeholders, entities, declarations for old readers, whose mark juice would drop, and a name at which it fails. */
const unreadablePattern = new RegExp(`[&${maskMark}]|(?:^|;)\\s*(?:[*_]|constructor\\b)`, "i");

/**
 * Hides style attributes with the above, and those in sections, from juice. They are appended to its
 * result, so that they take precedence.
 */
function hideUnreadableStyles(html: string, { elements }: HtmlDocument, scanned: ScannedHtml) {
  const hidden = new Map<DocumentElement, HiddenStyle>();
  const tags = [...scanTags(html)];
  for (const element of elements()) {
    const tag = tagOf(element, scanned);
    const attribute = tag?.styles[0];
    const masked = element.attribs.style;
    if (tag === undefined || attribute === undefined || masked === undefined) continue;
    const conditional = tag.conditional.includes("style") ? conditionalStyle(html, tag, tags) : undefined;
    if (conditional === undefined && !unreadablePattern.test(masked)) continue;
    hidden.set(element, {
      ...(conditional ?? styleText(html, attribute)),
      isConditional: conditional !== undefined,
    });
    delete element.attribs.style;
  }
  return hidden;
}

/** The variables of a style attribute, which rules in `<style>` may use. Juice drops them, unless it can't read the style. */
const variablesOf = (style = ""): string =>
  variablesOfStyle(style)
    .map((variable) => ` ${variable};`)
    .join("");

function escapeAttribute(style: string): string {
  return style.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("'", "&#39;");
}

function applyEdits(html: string, edits: Edit[]): string {
  edits.sort((a, b) => a.start - b.start || a.end - b.end);
  let output = "";
  let position = 0;
  for (const { start, end, text } of edits) {
    output += html.slice(position, start) + text;
    position = end;
  }
  output += html.slice(position);
  if (Buffer.byteLength(output) > maxInlinedBytes) throw outputTooLarge();
  return output;
}

function outputTooLarge(): InlineFailure {
  return new InlineFailure(
    "too_large",
    `The html is larger than ${maxInlinedBytes / 1024 / 1024} MiB once inlined.`,
  );
}
