/** A loop over characters writes texts up to this length faster than the runtime does. */
const shortText = 24;
const firstSize = 32 * 1024;
/** Maximum bytes that are kept for the next message. */
const keptSize = 512 * 1024;

/** A buffer that is reused for each message: its contents are valid until the next message begins. */
export interface Scratch {
  /** Begins the next message, which overwrites the last. */
  clear(): void;
  /** Offset of the next byte. */
  at(): number;
  /** Drops everything from the offset `at` on. */
  backTo(at: number): void;
  /** Writes a text that is known to be ASCII. */
  ascii(text: string): void;
  bytes(bytes: Buffer): void;
  /** The bytes written since the offset `at`, without a copy. */
  since(at: number): Buffer;
}

/** Creates a buffer that grows on demand. It allocates nothing before the first byte. */
export function createScratch(): Scratch {
  let room = Buffer.alloc(0);
  let length = 0;

  /** Views that were handed out stay valid: growing allocates a new buffer. */
  const grow = (more: number): void => {
    const larger = Buffer.allocUnsafeSlow(Math.max(firstSize, 2 * room.length, length + more));
    larger.set(room.subarray(0, length));
    room = larger;
  };

  return {
    clear() {
      length = 0;
      if (room.length > keptSize) room = Buffer.alloc(0);
    },
    at: () => length,
    backTo(at) {
      length = at;
    },
    ascii(text) {
      const size = text.length;
      if (length + size > room.length) grow(size);
      if (size > shortText) room.write(text, length, "latin1");
      else for (let index = 0; index < size; index += 1) room[length + index] = text.charCodeAt(index);
      length += size;
    },
    bytes(bytes) {
      if (length + bytes.length > room.length) grow(bytes.length);
      room.set(bytes, length);
      length += bytes.length;
    },
    since: (at) => room.subarray(at, length),
  };
}
