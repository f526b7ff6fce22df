import { list } from "postcss";

const attribute = String.raw`\[[^\]]*\]`;
const place = String.raw`:(?:(?:first|last|only)-(?:child|of-type)|root)(?![\w-])|:nth-(?:last-)?(?:child|of-type)\([^()]*\)`;
/** Pseudo-classes of an element's place, which hold for it in every mail client, so that they can be inlined. */
const placePattern = new RegExp(`\\\\.|${attribute}|(${place})`, "gis");
/** A pseudo-class that holds selectors, up to its parenthesis. */
const holderPattern = new RegExp(String.raw`\\.|${attribute}|:(is|where|not)\(`, "gis");
/** What a selector consists of: an id; a class, attribute or pseudo-class; an element. */
const countedPattern = new RegExp(
  String.raw`(#(?:[\w-]|[^\0-\x7f]|\\.)+)|(${attribute}|${place}|\.(?:[\w-]|[^\0-\x7f]|\\.)+)|((?:[\w-]|[^\0-\x7f]|\\.)+)`,
  "gis",
);

/** How much a selector counts: its ids; its classes, attributes and pseudo-classes; its elements. */
type Specificity = readonly [number, number, number];
/** Returns a selector of the elements for which a pseudo-class holds whatever the values are. */
type Placed = (pseudoClass: string) => string | undefined;
type Held = { start: number; end: number; name: string; list: string };

/**
 * Replaces pseudo-classes of an element's place, and `:is()`, `:where()` and `:not()`, by selectors that count as much.
 * `stays` tells that another one is left.
 */
export function settleSelector(selector: string, placed: Placed): { selector: string; stays: boolean } {
  let settled = "";
  let stays = false;
  let position = 0;
  const settlePlaces = (end: number) => {
    const part = replacePlaces(selector.slice(position, end), (found) => placed(found) ?? found);
    settled += part;
    stays ||= hasPseudo(part);
  };
  for (const held of heldIn(selector)) {
    settlePlaces(held.start);
    const replaced = settleHeld(selector.slice(held.start, held.end), held, placed);
    stays ||= replaced === undefined;
    settled += replaced;
    position = held.end;
  }
  settlePlaces(selector.length);
  return { selector: settled, stays };
}

/** Whether a selector has a pseudo-class or pseudo-element. */
export const hasPseudo = (selector: string): boolean => withoutStrings(selector).includes(":");

/** Returns the selector without attribute selectors and escaped characters. */
export const withoutStrings = (selector: string): string =>
  selector.replace(/\\./g, "").replace(/\[[^\]]*\]/g, "");

/** Returns the selector without what holds selectors and without places. What is left of pseudo-classes is not inlined. */
export const withoutPlaces = (selector: string): string =>
  replacePlaces(selector, () => "").replace(/:(?:is|where|not)(?=\()/gi, "");

const replacePlaces = (selector: string, replace: (place: string) => string): string =>
  selector.replace(placePattern, (part, found?: string) => (found === undefined ? part : replace(found)));

function settleHeld(text: string, { name, list }: Held, placed: Placed): string | undefined {
  const mark = hasPseudo(withoutPlaces(text)) ? undefined : placed(text);
  if (mark === undefined) return undefined;
  const [ids, classes, elements] = name === "where" ? [0, 0, 0] : highest(list);
  if (ids === 0 && classes === 1 && elements === 0) return mark;
  // Any element matches the first of the two, and the second is what counts.
  const counted = ["i ".repeat(elements).trim(), "[i]".repeat(classes), "#i".repeat(ids)].join("");
  return `:where(${mark})${counted === "" ? "" : `:is(*, ${counted})`}`;
}

/** Yields the outermost pseudo-classes that hold selectors. */
function* heldIn(selector: string): Generator<Held> {
  let position = 0;
  for (const { 0: found, 1: name, index } of selector.matchAll(holderPattern)) {
    if (name === undefined || index < position) continue;
    const start = index + found.length;
    const length = lengthOfList(selector.slice(start));
    if (length === -1) return;
    position = start + length + 1;
    yield {
      start: index,
      end: position,
      name: name.toLowerCase(),
      list: selector.slice(start, position - 1),
    };
  }
}

function lengthOfList(text: string): number {
  let depth = 0;
  for (const { 0: found, index } of text.matchAll(/\\.|\[[^\]]*\]|[()]/gs))
    if (found === "(") depth++;
    else if (found === ")" && --depth < 0) return index;
  return -1;
}

/** The highest specificity in a list, which is what one that holds it counts. */
function highest(selectors: string): Specificity {
  return list
    .comma(selectors)
    .map(specificityOf)
    .reduce(
      (one, two) => ((one[0] - two[0] || one[1] - two[1] || one[2] - two[2]) < 0 ? two : one),
      [0, 0, 0],
    );
}

function specificityOf(selector: string): Specificity {
  let [ids, classes, elements] = [0, 0, 0];
  let rest = "";
  let position = 0;
  for (const held of heldIn(selector)) {
    rest += selector.slice(position, held.start);
    position = held.end;
    if (held.name === "where") continue;
    const inner = highest(held.list);
    ids += inner[0];
    classes += inner[1];
    elements += inner[2];
  }
  for (const [, id, part, element] of (rest + selector.slice(position)).matchAll(countedPattern)) {
    if (id !== undefined) ids++;
    else if (part !== undefined) classes++;
    else if (element !== undefined) elements++;
  }
  return [ids, classes, elements];
}
