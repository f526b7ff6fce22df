import { onceATurn } from "./once-a-turn.ts";

/** Bytes of long responses that are written in one turn of the event loop: some 1 ms. */
const turnBytes = 1024 * 1024;

/** Turns for writing long responses. */
export interface WritingTurns {
  /** Returns whether so many bytes may be written in this turn of the event loop, and counts them. */
  hasTurn(bytes: number): boolean;
  /** Runs `write` in the next turn, behind what waits already. */
  nextTurn(write: () => void): void;
}

/**
 * Makes turns for writing. The system copies what its socket's buffer has room for at once, a megabyte and more: with
 * 300 callers of a long document, one turn of the event loop took 0.8 s.
 */
export function createWritingTurns(): WritingTurns {
  let waiting: (() => void)[] = [];
  let written = 0;
  const schedule = onceATurn(beginTurn);

  function beginTurn(): void {
    written = 0;
    const due = waiting;
    waiting = [];
    for (const write of due) write();
  }

  return {
    hasTurn(bytes) {
      schedule();
      if (written + bytes > turnBytes) return false;
      written += bytes;
      return true;
    },
    nextTurn(write) {
      waiting.push(write);
      schedule();
    },
  };
}
