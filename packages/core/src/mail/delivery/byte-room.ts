/** Limits the total bytes in use at the same time. */
export interface ByteRoom {
  /** Takes the bytes, or returns a promise until they fit; a single user always fits. */
  enter(bytes: number): Promise<void> | undefined;
  leave(bytes: number): void;
}

/** Creates a room for so many bytes; waiting users enter in the order of arrival. */
export function createByteRoom(capacity: number): ByteRoom {
  let taken = 0;
  const waiting: { bytes: number; go: () => void }[] = [];
  const fits = (bytes: number): boolean => taken === 0 || taken + bytes <= capacity;
  return {
    enter(bytes) {
      if (waiting.length > 0 || !fits(bytes))
        // A user who leaves reserves the bytes for the next in line.
        return new Promise((go) => waiting.push({ bytes, go }));
      taken += bytes;
      return undefined;
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
