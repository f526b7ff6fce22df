import { blankTags, outsideMark, rawText } from "../rendering/mask-tags.ts";
import { createOpenElements } from "./open-elements.ts";

/** Offsets of a style attribute, and of its value without quotes. */
export type StyleAttribute = { start: number; end: number; valueStart: number; valueEnd: number };

/** A start tag: its offsets, the end of its name, and what is within. */
export type StartTag = {
  start: number;
  nameEnd: number;
  end: number;
  /** Its style attributes, of which mail clients take the first. */
  styles: StyleAttribute[];
  /** Whether it has the attribute `hidden`. */
  hidden: boolean;
  /** Names of the attributes between two placeholders, such as the tags of a section. */
  conditional: string[];
};

/** Result of scanning a template's html. */
export type ScannedHtml = {
  /** The html with each placeholder and stray end tag replaced at equal length, so that offsets are the same in both. */
  masked: string;
  startTags: Map<number, StartTag>;
};

/**
 * Scans html with Mustache tags, which may contain quotes and angle brackets. Replaces each tag according to its place,
 * and records the positions of start tags and their style attributes.
 */
export function scanHtml(html: string): ScannedHtml {
  const text = blankTags(html);
  const startTags = new Map<number, StartTag>();
  const elements = createOpenElements();
  let masked = "";
  let copied = 0;
  let position = 0;
  // Behind the last one no end tag ends: each would be searched through to the end of the html.
  const lastEnd = text.lastIndexOf(">");
  for (;;) {
    const start = text.indexOf("<", position);
    if (start === -1) break;
    if (text.startsWith("<!--", start)) {
      const end = text.indexOf("-->", start + "<!".length);
      position = end === -1 ? html.length : end + 3;
    } else if (/[a-zA-Z]/.test(text.charAt(start + 1))) {
      const tag = readStartTag(text, start);
      startTags.set(start, tag);
      elements.open(text.slice(start + 1, tag.nameEnd).toLowerCase());
      position = skipRawText(text, tag);
    } else {
      endTag.lastIndex = start;
      const [end = "", name = ""] = (start < lastEnd && endTag.exec(text)) || [];
      position = start + Math.max(end.length, 1);
      if (end === "" || elements.close(name.toLowerCase())) continue;
      masked += text.slice(copied, start) + " ".repeat(end.length);
      copied = position;
    }
  }
  return { masked: (masked + text.slice(copied)).replaceAll(outsideMark, " "), startTags };
}

const endTag = /<\/([a-z][^\s/>\uE001]*)[^>]*>/iy;

const attributePattern =
  /[^\s"'<>/=\uE001]+(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>\uE001][^\s>\uE001]*)))?|>|./dgs;

function readStartTag(text: string, start: number): StartTag {
  let nameEnd = start + 1;
  while (nameEnd < text.length && !/[\s/>\uE001]/.test(text.charAt(nameEnd))) nameEnd++;
  const tag: StartTag = { start, nameEnd, end: text.length, styles: [], hidden: false, conditional: [] };
  let sinceMark: string[] | undefined;
  attributePattern.lastIndex = nameEnd;
  for (let match = attributePattern.exec(text); match !== null; match = attributePattern.exec(text)) {
    if (match[0] === ">") {
      tag.end = match.index + 1;
      break;
    }
    if (match[0] === outsideMark) {
      tag.conditional.push(...(sinceMark ?? []));
      sinceMark = [];
    } else {
      const name = /^[^\s=]*/.exec(match[0])?.[0].toLowerCase() ?? "";
      sinceMark?.push(name);
      tag.hidden ||= name === "hidden";
    }
    const style = readStyle(match);
    if (style !== undefined) tag.styles.push(style);
  }
  return tag;
}

function readStyle(match: RegExpExecArray): StyleAttribute | undefined {
  const value = match.indices?.[1] ?? match.indices?.[2] ?? match.indices?.[3];
  if (value === undefined || !/^style\s*=/i.test(match[0])) return undefined;
  const [valueStart, valueEnd] = value;
  return { start: match.index, end: match.index + match[0].length, valueStart, valueEnd };
}

function skipRawText(text: string, tag: StartTag): number {
  const name = text.slice(tag.start + 1, tag.nameEnd);
  if (!rawText.test(name)) return tag.end;
  const closing = new RegExp(`</${name}(?![a-z])`, "gi");
  closing.lastIndex = tag.end;
  return closing.exec(text)?.index ?? text.length;
}
