import { assertHeaderSafe } from "./assert-header-safe.ts";

const longestPlain = 60;
const longestSection = 54;
/** Readers differ in what they make of quotes, backslashes, "%", "'" and "=?" in a quoted name, so that these names are not quoted. */
const plainName = /^[A-Za-z0-9_(][A-Za-z0-9 _.,+()@#&{}~-]*$/;

/**
 * Writes the `filename` parameter of a Content-Disposition, beginning with `;`: quoted where it is short and simple, else by RFC 2231
 * in sections of one line each. There is never a second one beside it: what a reader makes of two is not said anywhere.
 */
export function filenameParameter(filename: string): string {
  assertHeaderSafe(filename, "filename");
  if (isPlain(filename)) return `;\r\n filename="${filename}"`;
  const sections = splitEncoded(filename.toWellFormed());
  const only = sections.length === 1;
  return sections
    .map(
      (section, index) =>
        `;\r\n filename*${only ? "" : `${index}*`}=${index === 0 ? "UTF-8''" : ""}${section}`,
    )
    .join("");
}

/** Writes the `name` parameter of a Content-Type, beginning with `;`: in ASCII, for software that reads no RFC 2231. */
export function nameParameter(filename: string): string {
  return `;\r\n name="${isPlain(filename) ? filename : asciiName(filename)}"`;
}

function isPlain(filename: string): boolean {
  return filename.length <= longestPlain && plainName.test(filename) && !filename.endsWith(" ");
}

/** The name in ASCII, the extension kept where it is a plain one. */
function asciiName(filename: string): string {
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(filename)?.[0] ?? "";
  const stem = filename.slice(0, filename.length - extension.length).replace(/[^A-Za-z0-9._-]+/g, "_");
  return (stem.slice(0, longestPlain - extension.length) || "file") + extension;
}

/** Sections hold whole characters: some readers decode each for itself. */
function splitEncoded(filename: string): string[] {
  const sections: string[] = [];
  let section = "";
  for (const character of filename) {
    const unit = /^[A-Za-z0-9._-]$/.test(character) ? character : percentEncoded(character);
    if (section.length + unit.length > longestSection) {
      sections.push(section);
      section = "";
    }
    section += unit;
  }
  sections.push(section);
  return sections;
}

function percentEncoded(character: string): string {
  let text = "";
  for (const byte of Buffer.from(character)) text += `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  return text;
}
