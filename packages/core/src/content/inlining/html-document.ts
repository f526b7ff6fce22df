import { load } from "cheerio/slim";
import { outsideMark } from "../rendering/mask-tags.ts";

/** A template's html as a tree, without its placeholders. */
export type HtmlDocument = ReturnType<typeof parseHtml>;
export type DocumentElement = ReturnType<HtmlDocument["elements"]>[number];
export type DocumentNode = NonNullable<DocumentElement["parent"]>;
type Child = DocumentNode["children"][number];

/** How the names of elements begin that all others are in: no selector has it. */
const holderName = outsideMark;

/**
 * Parses html in which placeholders are masked. Offsets are those of the source. Entities are left as they are, except
 * in attributes that selectors compare.
 */
export function parseHtml(masked: string) {
  const $ = load(masked, {
    xml: { xmlMode: false, decodeEntities: false, withStartIndices: true, withEndIndices: true },
  });
  readEntities($);
  findParagraphs($, masked);
  endCells($);
  holdAll($);
  holdRows($);
  return {
    $,
    /** All elements, parents first, in the order of the text. */
    elements: () =>
      $("*")
        .toArray()
        .filter((node) => "attribs" in node)
        .filter(({ name }) => !name.startsWith(holderName)),
    /** All texts, in their order. */
    texts: () => [...textsIn($.root().get(0)?.children ?? [])],
  };
}

/** Writes attributes as they read: a selector has `&` for `&amp;`. Styles are written back, and stay as they are. */
function readEntities($: ReturnType<typeof load>): void {
  const coded: { attribs: Record<string, string>; name: string; value: string }[] = [];
  for (const node of $("*").toArray())
    if ("attribs" in node)
      for (const [name, value] of Object.entries(node.attribs))
        if (name !== "style" && /&#?\w/.test(value)) coded.push({ attribs: node.attribs, name, value });
  if (coded.length === 0) return;
  const tags = coded.map(({ value }) => `<img alt="${value.replaceAll('"', "&quot;")}">`);
  const images = load(tags.join(""), { xml: { xmlMode: false } })("img").toArray();
  for (const [index, { attribs, name, value }] of coded.entries()) {
    const image = images[index];
    attribs[name] = image !== undefined && "attribs" in image ? (image.attribs.alt ?? value) : value;
  }
}

/**
 * Tells paragraphs that readers add from others: for a `</p>` behind a list or a table, which ended the paragraph that
 * it was in, they add an empty one.
 */
function findParagraphs($: ReturnType<typeof load>, masked: string): void {
  for (const element of $("p").toArray())
    if (element.startIndex !== null && masked.startsWith("</", element.startIndex)) element.startIndex = null;
}

/** Ends each `<td>` without an end tag before the `<th>` that follows it, which the parser takes for a part of it. */
function endCells($: ReturnType<typeof load>): void {
  const cells = $("td").toArray();
  for (const row of new Set(cells.map(({ parent }) => parent)))
    if (row?.children.some((child) => headingIn(child) !== -1)) adopt(row, row.children.flatMap(endCell));
}

/** The index of a `<th>` among the children of a `<td>`; -1 if there is none, as in html with end tags. */
const headingIn = (node: Child): number =>
  "attribs" in node && node.name === "td" ? node.children.findIndex((child) => isNamed(child, "th")) : -1;

/** Returns a cell and those that the parser put in it. */
function endCell(node: Child): Child[] {
  const at = headingIn(node);
  if (at === -1 || !("attribs" in node)) return [node];
  const others = node.children.slice(at);
  const [{ startIndex = null } = {}] = others;
  adopt(node, node.children.slice(0, at));
  node.endIndex = startIndex === null ? node.endIndex : startIndex - 1;
  return [node, ...others];
}

const ofHead = new Set("head base link meta title style script template noscript noframes".split(" "));

/**
 * Puts what has no `<html>`, `<head>` or `<body>` around it in elements, as readers do: a style element at the top is no
 * sibling of the text after it. A selector's search takes time that grows with the square of the elements at the top.
 */
function holdAll($: ReturnType<typeof load>): void {
  const root = $.root().get(0);
  if (root === undefined) return;
  const html = root.children.find((child) => isNamed(child, "html"));
  const hold = (name: string, held: Child[]) => heldBy($, holderName + name, held);
  const { children } = html !== undefined && "children" in html ? html : root;
  const head = children.findIndex((child) => isNamed(child, "head"));
  const body = children.findIndex((child) => isNamed(child, "body"));
  const shown = children.findIndex((child, index) => index > head && isShown(child));
  const at = [body, shown, children.length].find((index) => index !== -1);
  const [before, after] = [children.slice(0, at), children.slice(at)];
  const parts = [
    ...(head === -1 ? hold("head", before) : before),
    ...(body === -1 ? hold("body", after) : after),
  ];
  if (html !== undefined && "children" in html) adopt(html, parts);
  else adopt(root, hold("html", parts));
}

const isNamed = (child: Child, name: string): boolean => "attribs" in child && child.name === name;

/** Whether a node ends the head in html that does not. */
const isShown = (child: Child): boolean =>
  child.type === "text" ? child.data.trim() !== "" : "attribs" in child && !ofHead.has(child.name);

const partsOfTable = new Set("caption col colgroup tbody tfoot thead".split(" "));

/** Puts a table's rows in a `<tbody>` where it has none, as readers do: `table > tr` matches nothing there. */
function holdRows($: ReturnType<typeof load>): void {
  for (const table of $("table").toArray()) {
    if (!("attribs" in table) || !table.children.some(isRow)) continue;
    const children: Child[] = [];
    let body: Child[] = [];
    const endBody = () => {
      children.push(...(body.some(isRow) ? heldBy($, "tbody", body) : body));
      body = [];
    };
    for (const child of table.children) {
      if (!("attribs" in child && partsOfTable.has(child.name))) body.push(child);
      else {
        endBody();
        children.push(child);
      }
    }
    endBody();
    adopt(table, children);
  }
}

const isRow = (child: Child): boolean => "attribs" in child && child.name === "tr";

/** Whether an element is one that readers add. */
export const isImplied = ({ startIndex }: DocumentNode): boolean => startIndex === null;

/** Returns nodes in a new element that the source does not have. */
function heldBy($: ReturnType<typeof load>, name: string, held: Child[]): Child[] {
  const holder = $("<a>").get(0);
  if (holder === undefined || !("attribs" in holder)) return held;
  Object.assign(holder, { name, startIndex: null });
  adopt(holder, held);
  return [holder];
}

function adopt(parent: DocumentNode, children: Child[]): void {
  parent.children = children;
  for (const [index, child] of children.entries())
    Object.assign(child, { parent, prev: children[index - 1] ?? null, next: children[index + 1] ?? null });
}

/** A text of the document, with its offsets in the source; `end` is exclusive. */
type DocumentText = { parent: DocumentNode | null; start: number; end: number };

function* textsIn(nodes: Child[]): Generator<DocumentText> {
  for (const node of nodes) {
    if (node.type !== "text") {
      if ("children" in node) yield* textsIn(node.children);
    } else if (node.startIndex !== null && node.endIndex !== null)
      yield { parent: node.parent, start: node.startIndex, end: node.endIndex + 1 };
  }
}
