/** Texts up to this length are better written character by character than by the runtime. */
const shortText = 24;
const firstSize = 32 * 1024;
/** Bytes that are kept for the next message at the most. */
const keptSize = 512 * 1024;

/** Bytes that one message after the other is written into: what stands in them is valid until the next one begins. */
export interface Scratch {
  /** Begins the next message: what was written before is written over. */
  clear(): void;
  /** Where the next byte goes. */
  at(): number;
  /** Takes back all from `at` on. */
  backTo(at: number): void;
  /** Writes a text that is known to be ASCII. */
  ascii(text: string): void;
  bytes(bytes: Buffer): void;
  /** What was written from `at` on, without a copy. */
  since(at: number): Buffer;
}

/** Makes room that grows as it must. Nothing is allocated before the first byte. */
export function createScratch(): Scratch {
  let room = Buffer.alloc(0);
  let length = 0;

  /** What was handed out stays where it is: the larger room is another. */
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
