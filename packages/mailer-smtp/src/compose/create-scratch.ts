/** A loop over characters or bytes copies up to this many faster than the runtime does. */
const shortCopy = 32;
const firstSize = 32 * 1024;
/** Maximum bytes that are kept for the next message. */
const keptSize = 512 * 1024;

/** A buffer that is reused for each message: its contents are valid until the next message begins. */
export interface Scratch {
  /** Begins the next message, which overwrites the last. */
  clear(): void;
  /** Offset of the next byte. */
  at(): number;
  /** Continues at the offset `at`, which drops what follows it or keeps what was written into the reserved room. */
  moveTo(at: number): void;
  /** Returns the whole buffer with room for so many bytes from `at()` on, to be written into directly. */
  reserve(size: number): Buffer;
  /** Writes a text that is known to be ASCII. */
  ascii(text: string): void;
  /** The bytes written since the offset `at`, without a copy. */
  since(at: number): Buffer;
}

/** Creates a buffer that grows on demand. It allocates nothing before the first byte. */
export function createScratch(): Scratch {
  let room = Buffer.alloc(0);
  let length = 0;

  /** Views that were handed out stay valid: growing allocates a new buffer. */
  const reserve = (size: number): Buffer => {
    if (length + size > room.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(firstSize, 2 * room.length, length + size));
      larger.set(room.subarray(0, length));
      room = larger;
    }
    return room;
  };

  return {
    clear() {
      length = 0;
      if (room.length > keptSize) room = Buffer.alloc(0);
    },
    at: () => length,
    moveTo(at) {
      length = at;
    },
    reserve,
    ascii(text) {
      const size = text.length;
      const target = reserve(size);
      if (size > shortCopy) target.write(text, length, "latin1");
      else for (let index = 0; index < size; index += 1) target[length + index] = text.charCodeAt(index);
      length += size;
    },
    since: (at) => room.subarray(at, length),
  };
}
