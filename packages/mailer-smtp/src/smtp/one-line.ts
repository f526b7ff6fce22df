const longest = 1024;

/** What most replies are: words with one blank between them. */
const easy = /^[!-~]+(?: [!-~]+)*$/;

/** Makes a server's or a system's words safe to keep and show: one line of at most 1 KiB without control characters. */
export function oneLine(text: string): string {
  if (text.length * 3 <= longest && easy.test(text)) return text;
  // Cut before the patterns run, so that their work is bounded too.
  const plain = text
    .slice(0, 2 * longest)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\s]+/gu, " ")
    .trim();
  if (plain.length * 3 <= longest) return plain;
  // Streaming leaves out a character cut in two.
  return new TextDecoder().decode(Buffer.from(plain).subarray(0, longest), { stream: true });
}
