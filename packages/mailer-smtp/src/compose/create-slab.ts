const slabBytes = 256 * 1024;
/** Larger buffers get an allocation of their own: a slab is kept as long as one message in it waits for its server. */
const largestPiece = slabBytes / 8;

/** Returns a buffer of that many bytes, whose contents are undefined. */
export type Allocate = (size: number) => Buffer;

/**
 * Cuts buffers for messages from large slabs: the garbage collector would have to count and free each buffer of its
 * own. A slab is freed once no message uses it.
 */
export function createSlab(): Allocate {
  let slab = Buffer.alloc(0);
  let used = 0;
  return (size) => {
    if (size > largestPiece) return Buffer.allocUnsafeSlow(size);
    if (used + size > slab.length) {
      slab = Buffer.allocUnsafeSlow(slabBytes);
      used = 0;
    }
    used += size;
    return slab.subarray(used - size, used);
  };
}
