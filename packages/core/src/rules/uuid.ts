import { randomFillSync } from "node:crypto";

const bytesPerId = 10;
const counterLimit = 2 ** 26;
/**
 * Ms: a clock that steps back by more than this is followed; after a smaller step, ids keep the former time to stay in
 * order.
 */
const smallStepBackMs = 10_000;

/**
 * Creates a source of UUIDs version 7 (RFC 9562 §5.7). `now` is in ms since 1970. Ids of one source rise strictly:
 * within a millisecond by a 26-bit counter with a random start (§6.2, method 1); the last 48 bits are always random.
 */
export function createUuidSource(): (now: number) => string {
  // Random bytes are read in bulk, as one system call per id would cost more than the rest.
  const pool = new Uint8Array(bytesPerId * 400);
  let used = pool.length;
  let last = -1;
  let counter = 0;

  return (now) => {
    if (used >= pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    const byte = (offset: number): number => pool[used + offset] ?? 0;

    if (now > last || last - now > smallStepBackMs) {
      last = Math.floor(now);
      // The counter's top bit starts at zero, so that at least 33 million ids fit into a millisecond.
      counter = ((byte(0) & 1) << 24) | (byte(1) << 16) | (byte(2) << 8) | byte(3);
    } else if (++counter === counterLimit) {
      last += 1;
      counter = 0;
    }

    const id = format(last, counter, byte);
    used += bytesPerId;
    return id;
  };
}

const digits = Buffer.from("0123456789abcdef");
/** The id that is being written. Joined from pieces, it would be a text that each reader first has to flatten. */
const text = Buffer.alloc(36, "-");

function format(time: number, counter: number, byte: (offset: number) => number): string {
  const high = Math.floor(time / 0x10000);
  const low = time & 0xffff;
  const top = counter >>> 14;
  write(0, high >>> 24);
  write(2, high >>> 16);
  write(4, high >>> 8);
  write(6, high);
  write(9, low >>> 8);
  write(11, low);
  write(14, 0x70 | (top >>> 8));
  write(16, top);
  write(19, 0x80 | ((counter >>> 8) & 0x3f));
  write(21, counter);
  for (let at = 4; at < bytesPerId; at += 1) write(16 + at * 2, byte(at));
  return text.toString("latin1");
}

/** Writes a byte as two digits. */
function write(at: number, value: number): void {
  text[at] = digits[(value >>> 4) & 0xf] ?? 0;
  text[at + 1] = digits[value & 0xf] ?? 0;
}
