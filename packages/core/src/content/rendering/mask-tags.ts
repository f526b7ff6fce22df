import { scanTags, type TemplateTag } from "./scan-tags.ts";

/**
 * Replaces a placeholder's characters inside attribute values. It is a private use character, so that no selector
 * matches it.
 */
export const maskMark = "\uE000";

/** Replaces a placeholder's characters outside attribute values. */
export const outsideMark = "\uE001";

/** Returns the html with each Mustache tag replaced at equal length, by blanks outside attribute values. */
export const maskTags = (html: string): string => blankTags(html).replaceAll(outsideMark, " ");

/** Elements whose content is text up to their closing tag. */
export const rawText = /^(?:style|script|textarea|title|xmp|iframe|noembed|noframes)$/i;

/** The scanner's place: in text, in a comment, between attributes, or in one of three kinds of attribute value. */
type Place = "text" | "comment" | "tag" | "equals" | "unquoted" | '"' | "'";

type State = {
  place: Place;
  /** Name of the tag that it is in, or of the raw element whose text it is in; or empty. */
  name: string;
  /** Number of sections that are open within a value without quotes. */
  sections: number;
};

/** Returns the html with each Mustache tag replaced at equal length, by one of the marks according to its place. */
export function blankTags(html: string): string {
  const state: State = { place: "text", name: "", sections: 0 };
  let text = "";
  let position = 0;
  for (const tag of scanTags(html)) {
    for (let index = position; index < tag.start; index++) step(html, index, state);
    const outside = passTag(tag, state);
    text += html.slice(position, tag.start) + (outside ? outsideMark : maskMark).repeat(tag.end - tag.start);
    position = tag.end;
  }
  return text + html.slice(position);
}

/** Passes a Mustache tag. Returns whether it is outside values. */
function passTag({ kind }: TemplateTag, state: State): boolean {
  if (state.place === "equals") Object.assign(state, { place: "unquoted", sections: 0 });
  if (state.place === "unquoted") {
    // A section that began before a value without quotes ends it.
    if (kind === "close" && state.sections === 0) state.place = "tag";
    else if (kind === "close") state.sections--;
    else if (kind === "section" || kind === "inverted") state.sections++;
  }
  return state.place === "text" || state.place === "comment" || state.place === "tag";
}

function step(html: string, index: number, state: State): void {
  const { place } = state;
  const character = html.charAt(index);
  switch (place) {
    case "text":
      if (character === "<") stepAtAngle(html, index, state);
      return;
    case "comment":
      if (character === ">" && html.startsWith("--", index - 2)) state.place = "text";
      return;
    case '"':
    case "'":
      if (character === place) state.place = "tag";
      return;
    default:
      state.place = nextInTag(character, place);
      if (place === "equals") state.sections = 0;
      if (state.place === "text" && !rawText.test(state.name)) state.name = "";
  }
}

function stepAtAngle(html: string, index: number, state: State): void {
  const isRaw = state.name !== "";
  const isTag = isRaw ? endsRaw(html, index, state.name) : /[a-zA-Z/]/.test(html.charAt(index + 1));
  if (isTag) Object.assign(state, { place: "tag", name: nameAt(html, index + 1) });
  else if (!isRaw && html.startsWith("<!--", index)) state.place = "comment";
}

/** Whether the closing tag of a raw element is at an index. */
function endsRaw(html: string, index: number, name: string): boolean {
  const end = index + 2 + name.length;
  const closing = html.slice(index, end).toLowerCase();
  return closing === `</${name.toLowerCase()}` && !/[a-z]/i.test(html.charAt(end));
}

/** The name of the tag that begins before an index; with a slash before it if it is a closing one. */
function nameAt(html: string, index: number): string {
  let end = index + 1;
  while (end < html.length && !/[\s/>]/.test(html.charAt(end))) end++;
  return html.slice(index, end);
}

function nextInTag(character: string, place: Place): Place {
  if (character === ">") return "text";
  if (/\s/.test(character)) return place === "equals" ? place : "tag";
  if (place === "equals") return character === '"' || character === "'" ? character : "unquoted";
  return place === "tag" && character === "=" ? "equals" : place;
}
