import { scanTags, syntaxErrorAt, type TemplateTag } from "./scan-tags.ts";
import { maxTemplateNesting, maxTemplateSourceBytes, maxTemplateTags } from "./template-limits.ts";

export const escapedKind = 0;
export const rawKind = 1;
const sectionKind = 2;
export const invertedKind = 3;

/** A literal and the tag after it. All nodes have one shape, which keeps the renderer's loop fast. */
export type TemplateNode = {
  /** Index of the literal among the template's literals; 0 is the empty one. */
  readonly before: number;
  readonly kind: typeof escapedKind | typeof rawKind | typeof sectionKind | typeof invertedKind;
  /** The dotted name as written; "." is the current item. */
  readonly name: string;
  readonly first: string;
  /** The parts after the first dot, or null if there are none. */
  readonly rest: readonly string[] | null;
  readonly body: TemplateBody | null;
};

/** A sequence of nodes, the literal after them, and the maximum number of look-ups of one pass over them. */
export type TemplateBody = { readonly nodes: TemplateNode[]; tail: number; work: number };

/** A template's body, its literals, and the number of its tags. */
export type ParsedTemplate = {
  readonly root: TemplateBody;
  readonly literals: readonly string[];
  readonly tags: number;
};

type OpenSection = { tag: TemplateTag; before: number; parent: TemplateBody };

/** Parses a Mustache source of at most `maxBytes`. Throws `TemplateSyntaxError` with line and column (decisions §5). */
export function parseTemplate(source: string, maxBytes = maxTemplateSourceBytes): ParsedTemplate {
  assertSourceSize(source, maxBytes);
  const open: OpenSection[] = [];
  const literals = [""];
  const literal = (value: string): number => (value === "" ? 0 : literals.push(value) - 1);
  let body: TemplateBody = { nodes: [], tail: 0, work: 1 };
  let text = "";
  let position = 0;
  let tags = 0;
  for (const tag of scanTags(source)) {
    if (++tags > maxTemplateTags) {
      throw syntaxErrorAt(source, tag.start, `More than ${maxTemplateTags} tags`);
    }
    const span = outerSpan(source, tag);
    text += source.slice(position, span.start);
    position = span.end;
    switch (tag.kind) {
      case "comment":
      case "delimiters":
        break;
      case "section":
      case "inverted":
        if (open.length === maxTemplateNesting) {
          throw syntaxErrorAt(source, tag.start, `Sections nested deeper than ${maxTemplateNesting}`);
        }
        open.push({ tag, before: literal(text), parent: body });
        body = { nodes: [], tail: 0, work: 1 };
        text = "";
        break;
      case "close": {
        const section = open.pop();
        if (section === undefined) throw syntaxErrorAt(source, tag.start, `{{/${tag.name}}} closes nothing`);
        if (section.tag.name !== tag.name) {
          throw syntaxErrorAt(
            source,
            tag.start,
            `{{/${tag.name}}} found where {{/${section.tag.name}}} is due`,
          );
        }
        body.tail = literal(text);
        append(section.parent, section.before, section.tag, body, open.length);
        body = section.parent;
        text = "";
        break;
      }
      default:
        append(body, literal(text), tag, null, open.length);
        text = "";
    }
  }
  const unclosed = open.pop();
  if (unclosed)
    throw syntaxErrorAt(source, unclosed.tag.start, `Section "${unclosed.tag.name}" is never closed`);
  body.tail = literal(text + source.slice(position));
  return { root: body, literals, tags };
}

function assertSourceSize(source: string, maxBytes: number): void {
  // A UTF-16 unit takes at most three bytes in UTF-8, so that short sources need no counting.
  if (source.length * 3 <= maxBytes) return;
  if (source.length <= maxBytes && Buffer.byteLength(source) <= maxBytes) return;
  throw syntaxErrorAt(source, 0, `The source is longer than ${maxBytes / 1024} KiB`);
}

function append(
  target: TemplateBody,
  before: number,
  tag: TemplateTag,
  body: TemplateBody | null,
  depth: number,
): void {
  const parts = tag.name === "." ? ["."] : tag.name.split(".").map(intern);
  const kind =
    tag.kind === "section"
      ? sectionKind
      : tag.kind === "inverted"
        ? invertedKind
        : tag.kind === "raw"
          ? rawKind
          : escapedKind;
  target.nodes.push({
    before,
    kind,
    name: intern(tag.name),
    first: parts[0] ?? tag.name,
    rest: parts.length > 1 ? parts.slice(1) : null,
    body,
  });
  target.work += parts.length + depth;
}

/**
 * Returns V8's internalized copy of a name. A slice of the source would be hashed and compared again at each look-up.
 */
function intern(name: string): string {
  return Object.keys({ [name]: true })[0] ?? name;
}

/**
 * Returns the range of the tag, or of its whole line if nothing else is on that line (for every kind but
 * interpolation).
 */
function outerSpan(source: string, tag: TemplateTag): { start: number; end: number } {
  if (tag.kind === "escaped" || tag.kind === "raw") return tag;
  let start = tag.start;
  while (start > 0 && isBlank(source.charCodeAt(start - 1))) start--;
  if (start > 0 && source.charCodeAt(start - 1) !== 10) return tag;
  let end = tag.end;
  while (isBlank(source.charCodeAt(end))) end++;
  if (end === source.length) return { start, end };
  if (source.startsWith("\r\n", end)) return { start, end: end + 2 };
  return source.charCodeAt(end) === 10 ? { start, end: end + 1 } : tag;
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}
