/** Returns the first texts that have at most so many characters together, but always the first one. */
export function firstWithin(texts: readonly string[], characters: number): string[] {
  let left = characters;
  const end = texts.findIndex((text, index) => {
    left -= text.length;
    return index > 0 && left < 0;
  });
  return end < 0 ? [...texts] : texts.slice(0, end);
}
