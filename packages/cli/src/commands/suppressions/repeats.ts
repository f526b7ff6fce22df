import { createHash } from "node:crypto";

/** Replaces lines that an earlier part of the file contained with empty ones, in each part of an NDJSON file. */
export interface Repeats {
  (part: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>;
  /** Number of lines left out so far. */
  count(): number;
}

/**
 * Finds lines repeated in later parts, which a dry run would count twice because it stores nothing. Each line takes a
 * few dozen bytes of memory, however long it is.
 */
export function createRepeats(): Repeats {
  const seen = new Set<number>();
  let repeated = 0;
  const leaveOut = (part: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => {
    const own: number[] = [];
    const lines = new TextDecoder().decode(part).split("\n");
    const left = lines.map((line) => {
      if (line === "") return line;
      const key = keyOf(line);
      own.push(key);
      if (!seen.has(key)) return line;
      repeated += 1;
      return "";
    });
    // Within one part the server detects repetitions itself.
    for (const key of own) seen.add(key);
    return new TextEncoder().encode(left.join("\n"));
  };
  return Object.assign(leaveOut, { count: () => repeated });
}

/** Hash of a suppression's address, scope and expiry. */
function keyOf(line: string): number {
  const { email, scope, expires_at: end } = JSON.parse(line) as Record<string, unknown>;
  const text = JSON.stringify([String(email).trim().toLowerCase(), scope, end]);
  return createHash("sha1").update(text).digest().readUIntBE(0, 6);
}
