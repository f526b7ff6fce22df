import { once } from "node:events";

/** Writes data to standard output and waits while its reader is slow, so that an endless stream needs no endless memory. Ends early when the signal aborts. */
export async function writeData(text: string, signal: AbortSignal): Promise<void> {
  if (signal.aborted || process.stdout.write(text)) return;
  await once(process.stdout, "drain", { signal }).catch(() => {});
}
