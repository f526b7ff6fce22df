import { type Topic, topics } from "@posthorn/core/storage";
import { bearsSignals, signalByChannel, signalByMemory } from "./thread-signals.ts";

const pollMs = 500;
/** Minimum ms between two messages to other threads, since each wakes them. The first after a pause is sent at once. */
const gatherMs = 10;

/** Notifies listeners: at once of this process's commits, in any thread; within half a second of other processes'. */
export interface Notifier {
  notify(topics: readonly Topic[]): void;
  subscribe(listener: (topic: Topic) => void): () => void;
  close(): void;
}

export interface NotifierOptions {
  /** Returns a number that changes with every commit of another connection. */
  dataVersion: () => number;
  /** Identifies the tables to other threads of this process; empty if no other thread can reach them. */
  place: string;
  /** Memory that these threads share. With none, or too little for signals, they hear of each other by a channel. */
  memory?: SharedArrayBuffer | undefined;
}

export const createNotifier = ({ dataVersion, place, memory }: NotifierOptions): Notifier => {
  const listeners = new Set<(topic: Topic) => void>();
  let timer: NodeJS.Timeout | undefined;
  /** The next notification to other threads. */
  let unsaid = new Set<Topic>();
  let saidAt = Number.NEGATIVE_INFINITY;

  const tellHere = (about: Iterable<Topic>) => {
    for (const topic of about) for (const listener of [...listeners]) listener(topic);
  };
  const signals =
    place === ""
      ? undefined
      : bearsSignals(memory)
        ? signalByMemory(memory, tellHere)
        : signalByChannel(`posthorn ${place}`, tellHere);
  let isClosed = false;
  const say = () => {
    saidAt = performance.now();
    if (!isClosed) signals?.tell([...unsaid]);
    unsaid = new Set();
  };
  const tellThreads = (about: readonly Topic[]) => {
    if (signals === undefined || isClosed || about.length === 0) return;
    if (unsaid.size === 0) setTimeout(say, Math.max(0, saidAt + gatherMs - performance.now()));
    for (const topic of about) unsaid.add(topic);
  };
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  /**
   * `undefined` while that can't be read: of a handle that the host has closed, or iterates over, or of a damaged file.
   * Whoever reads or writes learns of it; thrown in a timer, it would end the host's process.
   */
  const look = (): number | undefined => {
    try {
      return dataVersion();
    } catch {
      return undefined;
    }
  };
  const start = () => {
    let seen = look();
    timer = setInterval(() => {
      const version = look();
      if (version === undefined || version === seen) return;
      seen = version;
      tellHere(topics);
    }, pollMs);
    timer.unref();
  };

  return {
    notify(about) {
      tellHere(about);
      tellThreads(about);
    },
    subscribe(listener) {
      // A wrapper, so that the same function may be registered twice.
      const own = (topic: Topic) => listener(topic);
      listeners.add(own);
      if (!timer) start();
      return () => {
        listeners.delete(own);
        if (listeners.size === 0) stop();
      };
    },
    close() {
      listeners.clear();
      stop();
      isClosed = true;
      signals?.close();
    },
  };
};
