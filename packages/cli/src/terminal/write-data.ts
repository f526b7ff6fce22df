import { once } from "node:events";

/**
 * Writes data to standard output and waits while its reader is slow, so that an endless stream needs limited memory.
 * Ends early when the signal aborts.
 */
export async function writeData(data: string | Uint8Array, signal: AbortSignal): Promise<void> {
  if (signal.aborted || process.stdout.write(data)) return;
  await once(process.stdout, "drain", { signal }).catch(() => {});
}

/** Writes a file to standard output as it arrives, one chunk in memory at a time. */
export async function writePieces(pieces: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
  for await (const piece of pieces) {
    if (signal.aborted) return;
    await writeData(piece, signal);
  }
}
