const longest = 1024;

/** Matches most replies: words with single blanks between them. */
const easy = /^[!-~]+(?: [!-~]+)*$/;

/**
 * Makes text from a server or the system safe to keep and show: one line of at most 1 KiB without control characters.
 */
export function oneLine(text: string): string {
  if (text.length <= longest && easy.test(text)) return text;
  // Cut before the patterns run, to bound their work too.
  const plain = text
    .slice(0, 2 * longest)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\s]+/gu, " ")
    .trim();
  if (plain.length * 3 <= longest) return plain;
  // Streaming mode drops a character that was cut in two.
  return new TextDecoder().decode(Buffer.from(plain).subarray(0, longest), { stream: true });
}
