import { BroadcastChannel } from "node:worker_threads";
import type { Topic } from "@posthorn/core/storage";

const topics: readonly Topic[] = ["emails", "webhooks", "events", "campaigns"];
const pollMs = 500;
/** Minimum ms between two messages to other threads, since each wakes them. The first after a pause is sent at once. */
const gatherMs = 10;

/** Notifies listeners: at once of this process's commits, in any thread; within half a second of other processes'. */
export interface News {
  notify(topics: readonly Topic[]): void;
  subscribe(listener: (topic: Topic) => void): () => void;
  close(): void;
}

export interface NewsOptions {
  /** Answers a number that changes with every commit of another connection. */
  dataVersion: () => number;
  /** Identifies the tables to other threads of this process; empty if no other thread can reach them. */
  place: string;
}

export const createNews = ({ dataVersion, place }: NewsOptions): News => {
  const listeners = new Set<(topic: Topic) => void>();
  let channel = place === "" ? undefined : new BroadcastChannel(`posthorn ${place}`);
  let timer: NodeJS.Timeout | undefined;
  /** The next notification to other threads. */
  let unsaid = new Set<Topic>();
  let saidAt = Number.NEGATIVE_INFINITY;

  const tellHere = (news: Iterable<Topic>) => {
    for (const topic of news) for (const listener of [...listeners]) listener(topic);
  };
  const say = () => {
    saidAt = performance.now();
    channel?.postMessage([...unsaid]);
    unsaid = new Set();
  };
  const tellThreads = (news: readonly Topic[]) => {
    if (channel === undefined || news.length === 0) return;
    if (unsaid.size === 0) setTimeout(say, Math.max(0, saidAt + gatherMs - performance.now()));
    for (const topic of news) unsaid.add(topic);
  };
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  const start = () => {
    let seen = dataVersion();
    timer = setInterval(() => {
      const version = dataVersion();
      if (version === seen) return;
      seen = version;
      tellHere(topics);
    }, pollMs);
    timer.unref();
  };
  if (channel !== undefined) {
    channel.onmessage = ({ data }: { data: Topic[] }) => tellHere(data);
    channel.unref();
  }

  return {
    notify(news) {
      tellHere(news);
      tellThreads(news);
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
      channel?.close();
      channel = undefined;
    },
  };
};
