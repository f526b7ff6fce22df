import { assertHeaderSafe } from "./assert-header-safe.ts";

const longestPlain = 60;
const longestSection = 54;

/**
 * Writes the `filename` parameter of a Content-Disposition, beginning with `;`: quoted where it is short ASCII, else
 * by RFC 2231 in sections of one line each, after a plain ASCII name for software that reads no other.
 */
export function filenameParameter(filename: string): string {
  assertHeaderSafe(filename, "filename");
  if (filename.length <= longestPlain && /^[ -~]*$/.test(filename))
    return `;\r\n filename="${escapeQuoted(filename)}"`;
  const plain = asciiName(filename);
  const sections = splitEncoded(filename);
  const only = sections.length === 1;
  const lines = sections.map((section, index) => {
    const charset = index === 0 ? "UTF-8''" : "";
    return `;\r\n filename*${only ? "" : `${index}*`}=${charset}${section}`;
  });
  return `;\r\n filename="${escapeQuoted(plain)}"${lines.join("")}`;
}

function escapeQuoted(text: string): string {
  return text.replace(/["\\]/g, "\\$&");
}

/** The name in ASCII, the extension kept where it is a plain one. */
function asciiName(filename: string): string {
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(filename)?.[0] ?? "";
  const stem = filename.slice(0, filename.length - extension.length).replace(/[^A-Za-z0-9 ._-]+/g, "_");
  return stem.slice(0, longestPlain - extension.length) + extension;
}

function splitEncoded(filename: string): string[] {
  const sections: string[] = [];
  let section = "";
  for (const byte of Buffer.from(filename)) {
    const character = String.fromCharCode(byte);
    const isPlain = byte < 128 && /[A-Za-z0-9._-]/.test(character);
    const unit = isPlain ? character : "%" + byte.toString(16).toUpperCase().padStart(2, "0");
    if (section.length + unit.length > longestSection) {
      sections.push(section);
      section = "";
    }
    section += unit;
  }
  sections.push(section);
  return sections;
}
