import { BroadcastChannel } from "node:worker_threads";
import { type Topic, topics } from "@posthorn/core/storage";

/** Tells the other threads of this process of topics, and hears them. */
export interface ThreadSignals {
  tell(about: readonly Topic[]): void;
  close(): void;
}

type Hear = (about: readonly Topic[]) => void;

/** Place of the number of signals. The first one is that of `createWriteTurns`. */
const signalsAt = 1;
/** Place of the number of signals about the first topic. */
const topicsAt = 2;

/** Whether the memory has room for signals, and not only for turns. */
export const bearsSignals = (memory: SharedArrayBuffer | undefined): memory is SharedArrayBuffer =>
  memory !== undefined && memory.byteLength >= 4 * (topicsAt + topics.length);

/**
 * Signals by memory that the threads share. For the first message of a `BroadcastChannel`, Node loads its whole HTTP
 * client in the thread that receives it, as that has the class of the event: 3 MB of live objects.
 */
export const signalByMemory = (memory: SharedArrayBuffer, hear: Hear): ThreadSignals => {
  const state = new Int32Array(memory, 0, topicsAt + topics.length);
  let isClosed = false;
  let last = Atomics.load(state, signalsAt);
  /** Of each topic's signals, how many are known: those heard, and this thread's own. */
  const known = topics.map((_, index) => Atomics.load(state, topicsAt + index));

  const news = (): Topic[] =>
    topics.filter((_, index) => {
      const count = Atomics.load(state, topicsAt + index);
      const isNew = count !== known[index];
      known[index] = count;
      return isNew;
    });
  const listen = async (): Promise<void> => {
    while (!isClosed) {
      // Waiting for memory does not keep the event loop running.
      const { async: isLater, value } = Atomics.waitAsync(state, signalsAt, last);
      if (isLater) await value;
      if (isClosed) return;
      last = Atomics.load(state, signalsAt);
      hear(news());
    }
  };
  void listen();

  return {
    tell(about) {
      for (const topic of about) {
        const index = topics.indexOf(topic);
        Atomics.add(state, topicsAt + index, 1);
        known[index] = ((known[index] ?? 0) + 1) | 0;
      }
      Atomics.add(state, signalsAt, 1);
      Atomics.notify(state, signalsAt);
    },
    close() {
      isClosed = true;
      // Ends this thread's wait, which would keep what listens.
      Atomics.notify(state, signalsAt);
    },
  };
};

/** Signals to all threads that open a channel of this name. */
export const signalByChannel = (name: string, hear: Hear): ThreadSignals => {
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: { data: Topic[] }) => hear(data);
  channel.unref();
  return { tell: (about) => channel.postMessage(about), close: () => channel.close() };
};
