import type { Tokenizer } from "htmlparser2";
import { maskTags } from "../../content/rendering/mask-tags.ts";
import { type FoundLink, type FoundLinks, findLinks, type Quote } from "./find-links.ts";

/**
 * Marks in a template's html: before a link's value, by its quotes; after the value of a tag's only `href`; after one of
 * a tag that must be read to its end, at its attributes `data-no-track` and at that end; and at each end of the body.
 * They are lone low surrogates, which text that was stored can't hold, so that they come from here alone; and none joins
 * the character before it, as a high one would the character after it.
 */
export const marks = {
  double: "\uDC00",
  single: "\uDC01",
  none: "\uDC02",
  end: "\uDC03",
  body: "\uDC04",
  value: "\uDC05",
  untracked: "\uDC06",
  tag: "\uDC07",
} as const satisfies Readonly<Record<Quote | "end" | "body" | "value" | "untracked" | "tag", string>>;

/** Matches one mark. */
const anyMark = /([\uDC00-\uDC07])/;

/** Returns a template's html with its links marked; placeholders inside values and sections around them stay. */
export function markLinks(html: string, createTokenizer: typeof Tokenizer): string {
  const source = html.toWellFormed();
  return mark(source, findLinks(maskTags(source), createTokenizer));
}

function mark(html: string, { links, bodyEnds }: FoundLinks): string {
  const places = [...links.flatMap(placesOf), ...bodyEnds.map((at) => ({ at, sign: marks.body }))];
  places.sort((a, b) => a.at - b.at);
  let text = "";
  let position = 0;
  for (const { at, sign } of places) {
    text += html.slice(position, at) + sign;
    position = at;
  }
  return text + html.slice(position);
}

/** Which `href` of a tag counts, and whether it is tracked, may depend on the sections that are rendered. */
function placesOf({ hrefs, untracked, end: tagEnd }: FoundLink): { at: number; sign: string }[] {
  const isPlain = hrefs.length === 1 && untracked.length === 0;
  const values = hrefs.flatMap(({ start, end, quote }) => [
    { at: start, sign: marks[quote] },
    { at: end, sign: isPlain ? marks.end : marks.value },
  ]);
  if (isPlain) return values;
  return [
    ...values,
    ...untracked.map((at) => ({ at, sign: marks.untracked })),
    { at: tagEnd, sign: marks.tag },
  ];
}

/** A piece of a marked literal: an index into the literals without marks, or the mark. */
export type Piece = number | keyof typeof marks;

/** A template's literals, cut at the marks. */
export interface CutLiterals {
  /** Without marks; the list is the same object for all mails of one content. */
  literals: readonly string[];
  /** The pieces of each marked literal, by its index. */
  pieces: readonly (readonly Piece[])[];
}

const kindOf = new Map(
  Object.entries(marks).map(([kind, sign]) => [sign as string, kind as keyof typeof marks]),
);

/** Cuts literals at the marks. */
export function cutLiterals(marked: readonly string[]): CutLiterals {
  const literals = [""];
  // A lone surrogate next to another is matched as such only without the flag u.
  const pieces = marked.map((literal) =>
    literal
      .split(anyMark)
      .filter((text) => text !== "")
      .map((text): Piece => kindOf.get(text) ?? literals.push(text) - 1),
  );
  return { literals, pieces };
}
