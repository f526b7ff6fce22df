import type { IncomingMessage } from "node:http";
import { onceATurn } from "./once-a-turn.ts";

/** µs that Node's parser takes for a chunk, whatever its size, and for a byte. */
const chunkCost = 5;
const byteCost = 0.0005;
/** µs after which a request is held, and that held requests may take together in a turn of the event loop. */
const requestCost = 1_000;
const turnCost = 5_000;
/**
 * Turns of the event loop after one in which held requests were read: what was read at once may take longer than all
 * else in a dozen turns, as 64 KiB in chunks of a byte do. They last no time if there is nothing else to do.
 */
const turnsBetween = 4;
/** A body up to this length arrives with one read of its socket, and is not watched. */
const shortBytes = 64 * 1024;

interface Reading {
  /** What was read of it in a turn of the event loop. */
  cost: number;
  turn: number;
  goOn(): void;
}

/** Has the body of a request that just began read in turns with others'. */
export type ReadInTurns = (request: IncomingMessage) => void;

/**
 * Makes turns for reading bodies. In one turn of the event loop Node reads up to 32 times from each socket, each time 64
 * KiB: 2 MB, or 350,000 chunks of a byte, which take 1.5 s. A send has a dozen steps, and would wait at each for all
 * sockets.
 */
export function createReadingTurns(): ReadInTurns {
  /** Held requests, the longest first. */
  const held = new Set<Reading>();
  let turn = 0;
  let left = 0;
  const schedule = onceATurn(beginTurn);

  function beginTurn(): void {
    turn += 1;
    left -= 1;
    if (left <= 0) readNext();
    if (held.size > 0) schedule();
  }

  function readNext(): void {
    let cost = 0;
    for (const reading of held) {
      if (cost > 0 && cost + reading.cost > turnCost) break;
      cost += reading.cost;
      held.delete(reading);
      reading.goOn();
      left = turnsBetween + 1;
    }
  }

  /** Returns whether more may be read of it in this turn. */
  function note(reading: Reading, bytes: number): boolean {
    if (reading.turn !== turn && !held.has(reading)) {
      reading.turn = turn;
      reading.cost = 0;
    }
    reading.cost += chunkCost + byteCost * bytes;
    schedule();
    if (reading.cost > requestCost) held.add(reading);
    return !held.has(reading);
  }

  return (request) => {
    if (Number(request.headers["content-length"] ?? Number.POSITIVE_INFINITY) <= shortBytes) return;
    const push = request.push.bind(request);
    const read = request._read.bind(request);
    /** What asked for more while it was held. */
    let wanted: number | undefined;
    const reading: Reading = {
      cost: 0,
      turn,
      goOn() {
        if (wanted !== undefined) read(wanted);
        wanted = undefined;
      },
    };
    request.push = (chunk: Buffer | null, encoding) => {
      const hasRoom = push(chunk, encoding);
      return chunk === null ? hasRoom : note(reading, chunk.length) && hasRoom;
    };
    // Lets the socket be read again.
    request._read = (size) => {
      if (held.has(reading)) wanted = size;
      else read(size);
    };
  };
}
