/** Returns text as one line of at most 1 KiB, without characters that a terminal or a database can't handle. */
export function oneLine(text: string): string {
  return text
    .slice(0, 4_000)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]+/gu, " ")
    .replace(/ {2,}/g, " ")
    .trim()
    .slice(0, 1_000);
}
