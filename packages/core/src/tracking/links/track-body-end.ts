/** Follows the tokens of html, to find the places for what is added to its body. All offsets are those of the tokenizer. */
export interface BodyEnd {
  /** An opening tag's name. */
  opening(start: number, end: number): void;
  /** The `>` of an opening tag, a comment or a declaration; or the end of the html, if that comes first. */
  ended(at: number): void;
  /** A closing tag's name. */
  closing(start: number, end: number): void;
  text(start: number, end: number): void;
  /** Returns the places: before each `</body>`; if there is none, the last at which markup is read as such. */
  find(): number[];
}

/** Elements in which tags are text. */
const rawElement = /^(?:iframe|noembed|noframes|plaintext|script|style|textarea|title|xmp)$/i;

/**
 * Begins at the start of the html. Where this ends within a tag, a comment or a style, what stood behind it would be
 * part of that, so that the place is before it.
 */
export function trackBodyEnd(html: string): BodyEnd {
  const bodyEnds: number[] = [];
  /** Where the last complete token ended. */
  let end = 0;
  let name = "";
  let raw: string | undefined;
  return {
    opening(from, to) {
      name = html.slice(from, to).toLowerCase();
    },
    ended(at) {
      if (raw === undefined && rawElement.test(name)) raw = name;
      name = "";
      if (raw === undefined && at < html.length) end = at + 1;
    },
    closing(from, to) {
      const closed = html.slice(from, to).toLowerCase();
      if (raw !== undefined && raw !== closed) return;
      raw = undefined;
      if (closed === "body") bodyEnds.push(from - "</".length);
      const at = html.indexOf(">", to);
      if (at >= 0) end = at + 1;
    },
    text(from, to) {
      // The tokenizer tells of the rest of an open token as text, too, and of no token in `</>`.
      if (raw === undefined && (from === end || html[from - 1] === ">")) end = to;
    },
    find: () => (bodyEnds.length > 0 ? bodyEnds : [end]),
  };
}
