/** Ms without a line after which a blank one is sent. nginx cuts off an answer that is silent for a minute. */
const silentMs = 15_000;

const blankLine = Uint8Array.of(0x0a);

/**
 * Keeps NDJSON alive while its next line is searched for, by a blank line, which its readers skip. Each piece must be of
 * whole lines; one without any says that the search goes on.
 */
export async function* withBlankLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let last = performance.now();
  for await (const piece of pieces) {
    const now = performance.now();
    const isSilent = piece.length === 0 && now - last >= silentMs;
    if (piece.length > 0 || isSilent) last = now;
    yield isSilent ? blankLine : piece;
  }
}
