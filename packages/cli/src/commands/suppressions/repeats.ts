import { createHash } from "node:crypto";

/** Leaves out of a part, as lines of JSON, those that a part before it had: in their place stands an empty line. */
export interface Repeats {
  (part: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>;
  /** How many were left out so far. */
  count(): number;
}

/**
 * Tells lines that come again in a later part, which a dry run would count twice, as nothing of the parts before is kept. Each takes some
 * dozen bytes of memory, however long it is.
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
    // Within one part the server tells them apart.
    for (const key of own) seen.add(key);
    return new TextEncoder().encode(left.join("\n"));
  };
  return Object.assign(leaveOut, { count: () => repeated });
}

/** A number for who is suppressed, for what and until when. */
function keyOf(line: string): number {
  const { email, scope, expires_at: end } = JSON.parse(line) as Record<string, unknown>;
  const text = JSON.stringify([String(email).trim().toLowerCase(), scope, end]);
  return createHash("sha1").update(text).digest().readUIntBE(0, 6);
}
