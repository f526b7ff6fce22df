import { maskMark } from "../rendering/mask-tags.ts";
import { scanTags, type TemplateTag } from "../rendering/scan-tags.ts";
import { type DocumentElement, type DocumentNode, type HtmlDocument, isImplied } from "./html-document.ts";
import type { ScannedHtml } from "./scan-html.ts";

/** What of a template's structure depends on the values that an e-mail is rendered with. */
export type Undecided = {
  /** Nodes with sections or raw values among their children: which child is the first is not known. */
  parents: Set<DocumentNode | null>;
  /** Elements that begin in a section and end after it, so that what they hold may have no such ancestor. */
  wrappers: Set<DocumentElement>;
  /** Attributes that have placeholders in their values, or are in sections, by their lower-case names. */
  attributes: Set<string>;
  /** Whether attributes of any name may come from placeholders between attributes. */
  anyAttribute: boolean;
  /** Whether elements of any kind may come from raw values. */
  anyElement: boolean;
};

const plainText = new Set(["title", "textarea", "style", "script"]);

/** Finds what the values decide, so that no selector is judged by the template alone where they may change its result. */
export function findUndecided(html: string, document: HtmlDocument, scanned: ScannedHtml): Undecided {
  const undecided: Undecided = {
    parents: new Set(),
    wrappers: new Set(),
    attributes: new Set(),
    anyAttribute: false,
    anyElement: false,
  };
  const tags = [...scanTags(html)].filter(({ kind }) => kind !== "comment" && kind !== "delimiters");
  if (tags.length === 0) return undecided;
  for (const { attribs } of document.elements())
    for (const [name, value] of Object.entries(attribs))
      if (value.includes(maskMark)) undecided.attributes.add(name.toLowerCase());
  readStartTags(scanned, tags, undecided);
  readChildren(document, tags, undecided);
  for (const wrapper of findWrappers(html, document)) undecided.wrappers.add(wrapper);
  return undecided;
}

function readStartTags({ startTags, masked }: ScannedHtml, tags: TemplateTag[], undecided: Undecided): void {
  const outsideValues = tags.filter(({ start }) => masked.charAt(start) !== maskMark);
  for (const [startTag, inside] of within([...startTags.values()], outsideValues)) {
    for (const name of startTag.conditional) undecided.attributes.add(name);
    undecided.anyAttribute ||= inside.kind === "escaped" || inside.kind === "raw";
  }
}

function readChildren({ texts }: HtmlDocument, tags: TemplateTag[], undecided: Undecided): void {
  const structural = tags.filter(({ kind }) => kind !== "escaped");
  for (const [{ parent }, tag] of within(texts(), structural)) {
    if (parent !== null && "name" in parent && plainText.has(parent.name)) continue;
    undecided.parents.add(parent);
    // Without its rows, readers add no body to the table.
    if (parent !== null && "name" in parent && isImplied(parent)) undecided.parents.add(parent.parent);
    undecided.anyElement ||= tag.kind === "raw";
  }
}

const mayEndWithoutTag =
  /^(?:li|p|t[dhr]|d[dt]|option|optgroup|thead|tbody|tfoot|colgroup|caption|body|html|head)$/;

/** Finds the elements that begin in a section and end after it. */
export function* findWrappers(html: string, document: HtmlDocument): Generator<DocumentElement> {
  const sections = sectionsIn(html);
  const open: { start: number; end: number }[] = [];
  let next = 0;
  for (const element of document.elements()) {
    const { name, startIndex, endIndex } = element;
    if (startIndex === null || endIndex === null) continue;
    for (let one = sections[next]; one !== undefined && one.start < startIndex; one = sections[++next])
      open.push(one);
    while ((open.at(-1)?.end ?? startIndex) < startIndex) open.pop();
    const innermost = open.at(-1);
    if (innermost === undefined || endIndex < innermost.end) continue;
    // One that ends without its tag ends with that of the element around it.
    const endTag = /<\/([a-z\d]*)\s*>$/i.exec(html.slice(startIndex, endIndex + 1).slice(-100));
    if (endTag?.[1]?.toLowerCase() === name || !mayEndWithoutTag.test(name)) yield element;
  }
}

/** The sections of a template, outer ones first; `end` is where the closing tag begins. */
function sectionsIn(html: string): { start: number; end: number }[] {
  const sections: { start: number; end: number }[] = [];
  const open: { start: number; end: number }[] = [];
  for (const { kind, start } of scanTags(html)) {
    if (kind === "section" || kind === "inverted") {
      const section = { start, end: html.length };
      open.push(section);
      sections.push(section);
    } else if (kind === "close") {
      const closed = open.pop();
      if (closed !== undefined) closed.end = start;
    }
  }
  return sections;
}

/** Yields each tag with the range that contains it. Both are in the order of the text. */
function* within<T extends { start: number; end: number }>(
  ranges: T[],
  tags: TemplateTag[],
): Generator<[T, TemplateTag]> {
  let next = 0;
  for (const range of ranges)
    for (let tag = tags[next]; tag !== undefined && tag.start < range.end; tag = tags[++next])
      if (tag.start >= range.start) yield [range, tag];
}

/** Whether any of the offsets, in ascending order, is within a section, so that not each e-mail has what begins there. */
export function isAnyInSection(html: string, offsets: readonly number[]): boolean {
  let next = 0;
  let depth = 0;
  for (const { kind, start } of scanTags(html)) {
    for (let at = offsets[next]; at !== undefined && at < start; at = offsets[++next])
      if (depth > 0) return true;
    if (kind === "section" || kind === "inverted") depth++;
    else if (kind === "close") depth--;
  }
  return depth > 0 && next < offsets.length;
}
