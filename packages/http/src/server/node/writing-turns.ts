import { onceATurn } from "./once-a-turn.ts";

/**
 * Bytes of long responses that are written in one turn of the event loop: some 0.3 ms. Node accepts one connection in each turn, so
 * that a new caller behind 1,500 others waits for as many.
 */
const turnBytes = 256 * 1024;

/** Turns for writing long responses. */
export interface WritingTurns {
  /** Returns whether so many bytes may be written in this turn of the event loop, and counts them. */
  hasTurn(bytes: number): boolean;
  /** Runs `write` in a later turn, behind what waits already. */
  waitInLine(write: () => void): void;
}

/**
 * Makes turns for writing. The system copies what its socket's buffer has room for at once, a megabyte and more: with
 * 300 callers of a long document, one turn of the event loop took 0.8 s.
 */
export function createWritingTurns(): WritingTurns {
  const line: (() => void)[] = [];
  let written = 0;
  const schedule = onceATurn(beginTurn);

  /** Asks no more of those in line than have a turn: asking all 1,500 in each of 5,000 turns took longer than the writing. */
  function beginTurn(): void {
    written = 0;
    while (written < turnBytes) {
      const write = line.shift();
      if (write === undefined) return;
      write();
    }
    if (line.length > 0) schedule();
  }

  return {
    hasTurn(bytes) {
      schedule();
      if (written + bytes > turnBytes) return false;
      written += bytes;
      return true;
    },
    waitInLine(write) {
      line.push(write);
      schedule();
    },
  };
}
