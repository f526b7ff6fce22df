import { load } from "cheerio/slim";
import { outsideMark } from "../rendering/mask-tags.ts";

/** A template's html as a tree, without its placeholders. */
export type HtmlDocument = ReturnType<typeof parseHtml>;
export type DocumentElement = ReturnType<HtmlDocument["elements"]>[number];
export type DocumentNode = NonNullable<DocumentElement["parent"]>;
type Child = DocumentNode["children"][number];

/** Name of the element that all others are in: no selector has it. */
const holderName = outsideMark;

/** Parses html in which placeholders are masked. Offsets are those of the source; entities are left as they are. */
export function parseHtml(masked: string) {
  const $ = load(masked, {
    xml: { xmlMode: false, decodeEntities: false, withStartIndices: true, withEndIndices: true },
  });
  holdAll($);
  return {
    $,
    /** All elements, parents first, in the order of the text. */
    elements: () =>
      $("*")
        .toArray()
        .filter((node) => "attribs" in node)
        .filter(({ name }) => name !== holderName),
    /** All texts, in their order. */
    texts: () => [...textsIn($.root().get(0)?.children ?? [])],
  };
}

/**
 * Puts all of html without `<html>` in one element: a selector's search takes time that grows with the square of the
 * elements at the top.
 */
function holdAll($: ReturnType<typeof load>): void {
  const root = $.root().get(0);
  const holder = $("<a>").get(0);
  if (root === undefined || holder === undefined || !("attribs" in holder)) return;
  if (root.children.some((child) => "name" in child && child.name === "html")) return;
  Object.assign(holder, { name: holderName, startIndex: null, children: root.children, parent: root });
  for (const child of root.children) child.parent = holder;
  root.children = [holder];
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
