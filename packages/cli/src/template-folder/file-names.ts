/** Characters that some file systems refuse or interpret, a leading dot, and a trailing dot or space. */
const unsafe = /[%/\\:*?"<>|\p{Cc}]|^\.|[. ]$/gu;

/** Encodes a name as the stem of a file, which can't lead to another folder. */
export function stemOf(name: string): string {
  return name.replace(unsafe, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);
}

/** Decodes a file's stem to a name. */
export function nameOfStem(stem: string): string {
  return stem
    .replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .normalize("NFC");
}
