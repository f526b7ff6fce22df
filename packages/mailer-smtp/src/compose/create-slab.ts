const slabBytes = 128 * 1024;
/** Larger pieces stand alone. */
const largestPiece = slabBytes / 8;

/** Answers so many bytes that hold anything. */
export type Allocate = (size: number) => Buffer;

/**
 * Cuts bytes for messages from large pieces: each of its own would be counted, and freed, by the garbage collector. A large piece is given
 * back once no message in it is in use.
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
