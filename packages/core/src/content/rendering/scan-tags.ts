import { TemplateSyntaxError } from "./template-errors.ts";
import { maxTemplateName } from "./template-limits.ts";

/** Kind of a Mustache tag. */
export type TagKind = "escaped" | "raw" | "section" | "inverted" | "close" | "comment" | "delimiters";

/** One Mustache tag in a source; `start` and `end` are UTF-16 offsets, `end` exclusive. */
export type TemplateTag = { kind: TagKind; name: string; start: number; end: number };

const tagKinds: Readonly<Record<string, TagKind>> = {
  "#": "section",
  "^": "inverted",
  "/": "close",
  "!": "comment",
  "&": "raw",
  "{": "raw",
  "=": "delimiters",
};

const refusedTags: Readonly<Record<string, string>> = {
  ">": "Partials ({{> name}}) are not supported",
  "<": "Template inheritance ({{< name}}) is not supported",
};

/** Returns the TemplateSyntaxError for a fault at an offset of the source. */
export function syntaxErrorAt(source: string, offset: number, message: string): TemplateSyntaxError {
  let line = 1;
  let lineStart = 0;
  for (let next = source.indexOf("\n"); next !== -1 && next < offset; next = source.indexOf("\n", next + 1)) {
    line++;
    lineStart = next + 1;
  }
  return new TemplateSyntaxError(
    `${message} (line ${line}, column ${offset - lineStart + 1}).`,
    line,
    offset - lineStart + 1,
  );
}

/**
 * Iterates over the Mustache tags of a source, in order. Throws `TemplateSyntaxError` for a tag that is unclosed,
 * unnamed or not supported.
 */
export function* scanTags(source: string): Generator<TemplateTag, void, undefined> {
  let open = "{{";
  let close = "}}";
  let position = 0;
  for (;;) {
    const start = source.indexOf(open, position);
    if (start === -1) return;
    const sigil = source.charAt(start + open.length);
    const refusal = refusedTags[sigil];
    if (refusal !== undefined) throw syntaxErrorAt(source, start, refusal);
    const kind = Object.hasOwn(tagKinds, sigil) ? (tagKinds[sigil] ?? "escaped") : "escaped";
    const contentStart = start + open.length + (kind === "escaped" ? 0 : 1);
    const closer = sigil === "{" ? `}${close}` : sigil === "=" ? `=${close}` : close;
    const contentEnd = source.indexOf(closer, contentStart);
    if (contentEnd === -1) throw syntaxErrorAt(source, start, `Unclosed tag: "${closer}" is missing`);
    const content = source.slice(contentStart, contentEnd).trim();
    position = contentEnd + closer.length;
    if (kind === "delimiters") {
      const pair = /^([^\s=]+)\s+([^\s=]+)$/.exec(content);
      if (!pair?.[1] || !pair[2])
        throw syntaxErrorAt(source, start, "Delimiters are two words without = in them");
      open = pair[1];
      close = pair[2];
    } else if (kind !== "comment") {
      checkName(source, start, content, kind);
    }
    yield { kind, name: kind === "comment" || kind === "delimiters" ? "" : content, start, end: position };
  }
}

function checkName(source: string, start: number, name: string, kind: TagKind): void {
  if (name === ".") return;
  const handlebars = adviceOnHandlebars(name, kind);
  if (handlebars !== undefined) throw syntaxErrorAt(source, start, handlebars);
  if (name === "") throw syntaxErrorAt(source, start, "A tag needs a name");
  if (name.length > maxTemplateName)
    throw syntaxErrorAt(source, start, `A name can't be longer than ${maxTemplateName} characters`);
  if (/\s/.test(name)) {
    throw syntaxErrorAt(
      source,
      start,
      "A name can't contain spaces: helpers and expressions are not supported",
    );
  }
  if (name.includes("|"))
    throw syntaxErrorAt(source, start, "A name can't contain |: filters are not supported");
  if (name.startsWith(".") || name.endsWith(".") || name.includes("..")) {
    throw syntaxErrorAt(source, start, "A dotted name needs a word on each side of every dot");
  }
}

/** Returns what to write instead of words and blocks of Handlebars, as other services' templates have them. */
function adviceOnHandlebars(name: string, kind: TagKind): string | undefined {
  if (name.startsWith("@")) return `{{${name}}} is not supported: put such a value into the list's entries`;
  if (name.startsWith("~") || name.endsWith("~")) return "{{~ and ~}} are not supported: write {{ and }}";
  if (name === "this") return "{{this}} is not supported: write {{.}} instead";
  if (name.startsWith("this.")) return `{{${name}}} is not supported: write {{${name.slice(5)}}} instead`;
  if (kind === "escaped" && /^else(?:\s|$)/.test(name))
    return "{{else}} is not supported: close the section, and open {{^name}} for the other case";
  const block = kind === "section" ? /^(if|each|with|unless)\s+([\w.-]+)$/.exec(name) : null;
  if (!block?.[2]) return undefined;
  const [, helper = "", of] = block;
  const open = helper === "unless" ? "^" : "#";
  return `{{#${helper}}} is not supported: write {{${open}${of}}}…{{/${of}}} instead`;
}
