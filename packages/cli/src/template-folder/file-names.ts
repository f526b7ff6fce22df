/** Characters that some file system refuses or gives a meaning, a leading dot, and a trailing dot or blank. */
const unsafe = /[%/\\:*?"<>|\p{Cc}]|^\.|[. ]$/gu;

/** A name as the stem of a file, which can lead nowhere else. */
export function stemOf(name: string): string {
  return name.replace(unsafe, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);
}

/** The name that a file's stem stands for. */
export function nameOfStem(stem: string): string {
  return stem
    .replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .normalize("NFC");
}
