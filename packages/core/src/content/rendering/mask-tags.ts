import { scanTags } from "./scan-tags.ts";

/**
 * Replaces a placeholder's characters inside attribute values. It is a private use character, so that no selector
 * matches it.
 */
export const maskMark = "\uE000";

/** Replaces a placeholder's characters outside attribute values. */
export const outsideMark = "\uE001";

/** Returns the html with each Mustache tag replaced at equal length, by blanks outside attribute values. */
export const maskTags = (html: string): string => blankTags(html).replaceAll(outsideMark, " ");

/** The scanner's state: in text, in a comment, between attributes, or in one of three kinds of attribute value. */
type Place = "text" | "comment" | "tag" | "equals" | "unquoted" | '"' | "'";

/** Returns the html with each Mustache tag replaced at equal length, by one of the marks according to its place. */
export function blankTags(html: string): string {
  let text = "";
  let position = 0;
  let place: Place = "text";
  for (const tag of scanTags(html)) {
    place = advance(html, position, tag.start, place);
    const outside = place === "text" || place === "comment" || place === "tag";
    text += html.slice(position, tag.start) + (outside ? outsideMark : maskMark).repeat(tag.end - tag.start);
    if (place === "equals") place = "unquoted";
    position = tag.end;
  }
  return text + html.slice(position);
}

/** Advances the state over the html between two placeholders. */
function advance(html: string, from: number, to: number, start: Place): Place {
  let place = start;
  for (let index = from; index < to; index++) place = step(html, index, place);
  return place;
}

function step(html: string, index: number, place: Place): Place {
  const character = html.charAt(index);
  switch (place) {
    case "text":
      if (character !== "<") return place;
      if (html.startsWith("<!--", index)) return "comment";
      return /[a-zA-Z/]/.test(html.charAt(index + 1)) ? "tag" : place;
    case "comment":
      return character === ">" && html.startsWith("--", index - 2) ? "text" : place;
    case '"':
    case "'":
      return character === place ? "tag" : place;
    default:
      if (character === ">") return "text";
      if (/\s/.test(character)) return place === "equals" ? place : "tag";
      if (place === "equals") return character === '"' || character === "'" ? character : "unquoted";
      return place === "tag" && character === "=" ? "equals" : place;
  }
}
