/** Ms up to which a look may be repeated at any time. */
const cheapMs = 20;
/** From the begin of another to the next are this many times what the shortest of the last ones took, at most `longestMs`. */
const times = 4;
/** Number of the last looks that are compared: on a busy thread any may take long, but not all. */
const compared = 5;
const longestMs = 1_000;

/** How often looks are repeated that cost as much as there are parts of a queue, such as routes or endpoints. */
export interface LookGap {
  /** Notes how many ms a look took. */
  note(ms: number): void;
  /** Ms from the begin of a look to that of the next: 0 as long as they are cheap. */
  ms(): number;
}

/** Creates the gap between looks of one process: at most a quarter of its time is theirs. */
export function createLookGap(): LookGap {
  const last: number[] = [];
  return {
    note(ms) {
      if (last.push(ms) > compared) last.shift();
    },
    ms() {
      const shortest = last.length === 0 ? 0 : Math.min(...last);
      return shortest > cheapMs ? Math.min(longestMs, shortest * times) : 0;
    },
  };
}
