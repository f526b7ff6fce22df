import { once } from "node:events";
import { fstatSync, statSync } from "node:fs";
import { devNull } from "node:os";
import { shownText } from "./safe-text.ts";

/**
 * Writes data to standard output and waits while its reader is slow, so that an endless stream needs limited memory.
 * Ends early when the signal aborts.
 */
export async function writeData(data: string | Uint8Array, signal: AbortSignal): Promise<void> {
  if (signal.aborted || process.stdout.write(data)) return;
  await once(process.stdout, "drain", { signal }).catch(() => {});
}

/** Waits until all data so far is written to standard output. Rejects with the fault if it can't be. */
export const allWritten = (): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write("", (error) => (error ? reject(error) : resolve()));
  });

/** Whether nothing that is written to standard output is kept: Node opens the null device where it is closed. */
export function isDiscarded(): boolean {
  try {
    const output = fstatSync(process.stdout.fd);
    return output.isCharacterDevice() && output.rdev === statSync(devNull).rdev;
  } catch {
    // It is a stream without a file, or this is Windows, where the null device is none.
    return false;
  }
}

/**
 * Writes a file to standard output as it arrives, one chunk in memory at a time. A terminal gets it as text that can't
 * steer it.
 */
export async function writePieces(pieces: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
  const decoder = process.stdout.isTTY === true ? new TextDecoder() : undefined;
  for await (const piece of pieces) {
    if (signal.aborted) return;
    await writeData(decoder ? shownText(decoder.decode(piece, { stream: true })) : piece, signal);
  }
}
