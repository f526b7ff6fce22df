import { parse } from "postcss";
import { scanTags } from "../rendering/scan-tags.ts";
import type { DocumentElement, HtmlDocument } from "./html-document.ts";

const importantPattern = /!\s*important/i;

/**
 * Has juice keep `!important` of elements whose own style is hidden from it, so that it still takes precedence over
 * that, and of those whose own style has it, as rules in `<style>` may have it, too. Elsewhere it is dropped, so that
 * media queries apply.
 */
export function keepImportant(
  { elements }: HtmlDocument,
  hidden: ReadonlyMap<DocumentElement, unknown>,
): void {
  for (const element of elements())
    if (hidden.has(element) || importantPattern.test(element.attribs.style ?? ""))
      element.attribs["data-juice-important"] = "";
}

/**
 * Returns what juice made of an element's style without `!important` that nothing of its own style needs: media queries
 * apply to these properties. `own` is the style that juice read, or the text of one that was hidden from it.
 */
export function withoutImportance(style: string, own: { read: string } | { hidden: string }): string {
  if (!importantPattern.test(style)) return style;
  try {
    const isNeeded = "read" in own ? importantIn(own.read) : overriddenBy(own.hidden);
    const root = parse(style);
    root.walkDecls((declaration) => {
      if (declaration.important && !isNeeded(declaration.prop)) declaration.important = false;
    });
    return root.toString();
  } catch {
    return style;
  }
}

function importantIn(style: string): (property: string) => boolean {
  const names = new Set<string>();
  parse(style).walkDecls(({ important, prop }) => {
    if (important) names.add(prop.toLowerCase());
  });
  return (property) => names.has(property.toLowerCase());
}

/** Tells of a property whether the style may set it, or another that sets it, too. */
function overriddenBy(style: string): (property: string) => boolean {
  const names = propertiesIn(style);
  if (names === undefined || names.includes("all")) return () => true;
  const families = new Set(names.map(familyOf));
  return (property) => property === "all" || families.has(familyOf(property));
}

const withoutSigns = /&#?\w+;|"[^"]*"|'[^']*'|\([^()]*\)/g;

/** The names of the properties in a style with Mustache tags; `undefined` where values may bring others. */
function propertiesIn(style: string): string[] | undefined {
  let css = "";
  let position = 0;
  for (const { kind, start, end } of scanTags(style)) {
    css += style.slice(position, start);
    const isValue = css.lastIndexOf(":") > css.lastIndexOf(";");
    // What prints stands for itself; a section within a value belongs to it.
    css += kind === "escaped" || kind === "raw" ? "{" : isValue ? "" : ";";
    position = end;
  }
  const names: string[] = [];
  for (const declaration of (css + style.slice(position)).replace(withoutSigns, "").split(";")) {
    if (declaration.trim() === "") continue;
    const name = /^\s*[*_]?(-{0,2}[a-z][\w-]*)\s*:[^:]*$/i.exec(declaration)?.[1];
    if (name === undefined) return undefined;
    names.push(name.toLowerCase());
  }
  return names;
}

/** First words of properties that set, or are set by, others with another first word. */
const families: Readonly<Record<string, string>> = {
  line: "font",
  word: "overflow",
  page: "break",
  top: "inset",
  right: "inset",
  bottom: "inset",
  left: "inset",
  gap: "grid",
  row: "grid",
  column: "grid",
  columns: "grid",
  place: "align",
  justify: "align",
  inline: "size",
  block: "size",
  width: "size",
  height: "size",
};

/** The first word of a property's name, which a shorthand has in common with what it sets; or that of its family. */
function familyOf(property: string): string {
  const word =
    property
      .toLowerCase()
      .replace(/^[*_]?(?:-(?:webkit|moz|ms|o)-)?/, "")
      .split("-", 1)[0] ?? "";
  return families[word] ?? word;
}
