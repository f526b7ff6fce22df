/**
 * Bytes that are kept of a message. What a report says comes first: behind it is the returned e-mail, which many servers
 * return with all its files.
 */
const keptBytes = 1_048_576;

/**
 * Reads a message to its end; returns its first MiB, one character per byte. The pieces are copied: a message of
 * nothing but dots comes in hundreds of thousands, each of which would occupy thirty times its bytes.
 */
export async function readBeginning(pieces: AsyncIterable<Buffer>): Promise<string> {
  let kept = Buffer.alloc(0);
  let length = 0;
  for await (const piece of pieces) {
    const end = Math.min(length + piece.length, keptBytes);
    if (end > kept.length) {
      const larger = Buffer.alloc(Math.min(Math.max(end, 2 * kept.length), keptBytes));
      kept.copy(larger, 0, 0, length);
      kept = larger;
    }
    piece.copy(kept, length, 0, end - length);
    length = end;
  }
  return kept.toString("latin1", 0, length);
}
