import type { Parser } from "htmlparser2";

const paragraphs = new Set("p h1 h2 h3 h4 h5 h6 ul ol dl table blockquote pre hr".split(" "));
const lines = new Set(
  (
    "address article aside caption center dd details dialog div dt fieldset figcaption figure footer form header " +
    "hgroup legend li main nav search section summary tr"
  ).split(" "),
);
const hidden = new Set(["script", "style", "title", "head", "template", "iframe"]);

/** Maximum tags and entities of a value, and maximum depth of its elements: what has more is printed as it is. */
const maxMarks = 20_000;
const maxDepth = 256;

/**
 * Returns a function that makes text of a value that is html, as `htmlToText` does of whole templates. It runs for each
 * e-mail, so its work is bounded and linear.
 */
export function createTextOfHtml(createParser: typeof Parser): (html: string) => string {
  return (html) => {
    const marks = html.split(/[<&]/, maxMarks + 2).length - 1;
    return marks === 0 || marks > maxMarks ? html : (convert(html, createParser) ?? html);
  };
}

/** An ampersand that begins no entity, as in most addresses of links. Browsers would read `&copy=2` as one. */
const looseAmpersand = /&(?!(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);)/gi;

/** What is shown of a link's address: of a mailbox no scheme, and nothing of a place within the html. */
const shownAddress = (href: string): string => (href.startsWith("#") ? "" : href.replace(/^mailto:/, ""));

/** Whether an element's own style hides it from every reader, such as a preheader. */
const isHidden = (style: string): boolean =>
  /^none(?![\w-])/i.test([...style.matchAll(/(?:^|;)\s*display\s*:\s*([^;]*)/gi)].at(-1)?.[1] ?? "");

/** Returns `undefined` if the elements are nested too deeply. */
function convert(html: string, createParser: typeof Parser): string | undefined {
  const source = html.replace(looseAmpersand, "&amp;");
  if (!/<[a-z/!?]/i.test(source)) return decode(source, createParser);
  const writer = createWriter();
  let link: { href: string; at: number } | undefined;
  let depth = 0;
  /** Depth of the element that hides what it holds; 0 outside any. */
  let hiddenFrom = 0;
  /** The lists around the place: the number of the next item, or none. */
  const lists: (number | undefined)[] = [];
  let preformatted = 0;
  const breakAt = (name: string): void => {
    if (paragraphs.has(name) || lines.has(name)) writer.breakLine(paragraphs.has(name) ? 2 : 1);
  };
  const parser = new createParser({
    onopentag(name, { href = "", alt = "", style = "", start = "" }) {
      if (++depth > maxDepth) parser.pause();
      if (hiddenFrom === 0 && (hidden.has(name) || isHidden(style))) hiddenFrom = depth;
      if (hiddenFrom > 0) return;
      breakAt(name);
      if (name === "br") writer.endLine();
      if (name === "pre") preformatted++;
      if (name === "ul") lists.push(undefined);
      if (name === "ol") lists.push(/^-?\d{1,9}$/.test(start) ? Number(start) : 1);
      if (name === "li") {
        const number = lists.pop();
        writer.bullet(number === undefined ? "*" : `${number}.`);
        lists.push(number === undefined ? undefined : number + 1);
      }
      if (name === "img") writer.text(alt);
      if (name === "a") link = { href: shownAddress(href), at: writer.position() };
    },
    ontext(text) {
      if (hiddenFrom === 0) writer[preformatted > 0 ? "verbatim" : "text"](text);
    },
    onclosetag(name) {
      const wasHidden = hiddenFrom > 0;
      if (depth-- === hiddenFrom) hiddenFrom = 0;
      if (wasHidden) return;
      if (name === "pre") preformatted--;
      if (name === "ul" || name === "ol") lists.pop();
      if (name === "td" || name === "th") writer.text(" ");
      if (name === "a" && link !== undefined) {
        const { href, at } = link;
        if (href !== "" && writer.since(at) !== href) writer.text(` [${href}]`);
        link = undefined;
      }
      breakAt(name);
    },
  });
  parser.write(source);
  if (depth > maxDepth) return undefined;
  parser.end();
  return writer.output();
}

function decode(source: string, createParser: typeof Parser): string {
  const texts: string[] = [];
  const parser = new createParser({ ontext: (text) => texts.push(text) });
  parser.end(source);
  return texts.join("");
}

/** Writes text with its white space collapsed. Blanks and line breaks wait for the next text: there are none at the ends. */
function createWriter() {
  const parts: string[] = [];
  let blank = false;
  let breaks = 0;
  const write = (text: string): void => {
    if (parts.length > 0) parts.push(breaks > 0 ? "\n".repeat(breaks) : blank ? " " : "");
    parts.push(text);
    blank = false;
    breaks = 0;
  };
  return {
    position: () => parts.length,
    since: (position: number) => parts.slice(position).join("").trim(),
    output: () => parts.join(""),
    breakLine(count: number) {
      breaks = Math.max(breaks, count);
    },
    /** Two of them leave an empty line. */
    endLine() {
      breaks = Math.min(breaks + 1, 2);
    },
    bullet(mark: string) {
      write(` ${mark}`);
      blank = true;
    },
    /** Text whose white space counts, but for line breaks at the ends. */
    verbatim(text: string) {
      const shown = breaks > 0 || parts.length === 0 ? text.replace(/^(?:\r?\n)+/, "") : text;
      // A pattern for the last line breaks would be tried from each one within, in quadratic time.
      let end = shown.length;
      while (/[\r\n]/.test(shown.charAt(end - 1))) end--;
      if (end > 0) write(shown.slice(0, end));
      breaks = Math.max(breaks, shown.slice(end).split("\n").length - 1);
    },
    text(text: string) {
      const collapsed = text.replace(/[ \t\r\n\f]+/g, " ");
      const words = collapsed.replace(/^ | $/g, "");
      blank ||= collapsed.startsWith(" ");
      if (words === "") return;
      write(words);
      blank = collapsed.endsWith(" ");
    },
  };
}
