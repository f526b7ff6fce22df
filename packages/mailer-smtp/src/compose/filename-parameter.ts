import { assertHeaderSafe } from "./assert-header-safe.ts";

const longestPlain = 60;
const longestSection = 54;
/**
 * Readers parse quotes, backslashes, "%", "'" and "=?" in a quoted name differently, so names with these are not
 * quoted.
 */
const plainName = /^[A-Za-z0-9_(][A-Za-z0-9 _.,+()@#&{}~-]*$/;

/**
 * Writes the `filename` parameter of a Content-Disposition, beginning with `;`: quoted if the name is short and simple,
 * else as RFC 2231 sections of one line each. It never writes both forms: no standard says which one a reader uses.
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

/** Writes the `name` parameter of a Content-Type, beginning with `;`, in ASCII for software without RFC 2231. */
export function nameParameter(filename: string): string {
  return `;\r\n name="${isPlain(filename) ? filename : asciiName(filename)}"`;
}

function isPlain(filename: string): boolean {
  return filename.length <= longestPlain && plainName.test(filename) && !filename.endsWith(" ");
}

/** The name in ASCII, with its extension if that is plain ASCII. */
function asciiName(filename: string): string {
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(filename)?.[0] ?? "";
  const stem = filename.slice(0, filename.length - extension.length).replace(/[^A-Za-z0-9._-]+/g, "_");
  return (stem.slice(0, longestPlain - extension.length) || "file") + extension;
}

/** Each section holds whole characters: some readers decode sections separately. */
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
