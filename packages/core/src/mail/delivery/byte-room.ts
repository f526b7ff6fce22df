/** Room for so many bytes at once. */
export interface ByteRoom {
  /** Waits until the bytes fit; one alone always fits. */
  enter(bytes: number): Promise<void>;
  leave(bytes: number): void;
}

/** Lets in as many bytes as fit, first come first served. */
export function createByteRoom(capacity: number): ByteRoom {
  let taken = 0;
  const waiting: { bytes: number; go: () => void }[] = [];
  const fits = (bytes: number): boolean => taken === 0 || taken + bytes <= capacity;
  return {
    async enter(bytes) {
      if (waiting.length > 0 || !fits(bytes))
        // Whoever leaves books the place.
        return new Promise((go) => waiting.push({ bytes, go }));
      taken += bytes;
    },
    leave(bytes) {
      taken -= bytes;
      for (let next = waiting[0]; next !== undefined && fits(next.bytes); next = waiting[0]) {
        waiting.shift();
        taken += next.bytes;
        next.go();
      }
    },
  };
}
