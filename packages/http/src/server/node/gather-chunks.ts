/** The bytes of a body that arrives in chunks. */
export interface GatheredChunks {
  /** Takes a chunk. Returns how many bytes of memory more are held now. */
  add(chunk: Uint8Array): number;
  /** Returns all bytes so far. */
  join(): Uint8Array;
}

const smallestSlab = 1024;
const largestSlab = 64 * 1024;

/**
 * Copies chunks together. Kept as they are, chunks of one byte would hold several hundred bytes each, and each the whole
 * of what was read from the socket with it. A body in one chunk is not copied.
 */
export function gatherChunks(): GatheredChunks {
  let only: Uint8Array | undefined;
  const full: Uint8Array[] = [];
  let slab: Uint8Array = new Uint8Array();
  let used = 0;

  function copy(chunk: Uint8Array): number {
    let held = 0;
    for (let start = 0; start < chunk.length; ) {
      if (used === slab.length) {
        if (used > 0) full.push(slab);
        slab = Buffer.allocUnsafeSlow(Math.min(largestSlab, Math.max(smallestSlab, 2 * slab.length)));
        used = 0;
        held += slab.length;
      }
      const room = slab.length - used;
      const part = start === 0 && chunk.length <= room ? chunk : chunk.subarray(start, start + room);
      slab.set(part, used);
      used += part.length;
      start += part.length;
    }
    return held;
  }

  return {
    add(chunk) {
      if (only === undefined && slab.length === 0) {
        only = chunk;
        return chunk.buffer.byteLength;
      }
      if (only === undefined) return copy(chunk);
      const first = only;
      only = undefined;
      return copy(first) + copy(chunk) - first.buffer.byteLength;
    },
    join: () => only ?? Buffer.concat([...full, slab.subarray(0, used)]),
  };
}
