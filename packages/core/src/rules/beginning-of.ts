/** Returns at most the first `max` UTF-16 units of a text, without half of a character at its end. */
export function beginningOf(text: string, max: number): string {
  const cut = text.slice(0, max);
  return cut.length < text.length && /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}
