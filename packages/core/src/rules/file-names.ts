/** Characters that reverse the direction of text: `gnp.exe` would look like `exe.png`. */
const bidiControls = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;
const maxBytes = 255;

/**
 * Returns a safe name for a file that is sent: the last part of a path, in NFC, without control characters, at most 255
 * bytes of UTF-8 with its extension kept. `undefined` if nothing remains.
 */
export function cleanFilename(given: string): string | undefined {
  const base = given.toWellFormed().normalize("NFC").split(/[/\\]/).at(-1) ?? "";
  const name = base
    .replace(bidiControls, "")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, "")
    .trim();
  return /^\.{0,2}$/.test(name) ? undefined : shortened(name);
}

function shortened(name: string): string {
  if (Buffer.byteLength(name) <= maxBytes) return name;
  const extension = /\.[A-Za-z0-9]{1,16}$/.exec(name)?.[0] ?? "";
  const room = maxBytes - extension.length;
  let stem = "";
  let length = 0;
  for (const character of name.slice(0, name.length - extension.length)) {
    length += Buffer.byteLength(character);
    if (length > room) break;
    stem += character;
  }
  return stem.trimEnd() + extension;
}
