import type { Topic } from "@posthorn/core/storage";

const topics: readonly Topic[] = ["emails", "webhooks", "events", "campaigns"];
const pollMs = 500;

/** Tells this process' listeners of news: at once of its own, within half a second of other processes'. */
export interface News {
  notify(topics: readonly Topic[]): void;
  subscribe(listener: (topic: Topic) => void): () => void;
  close(): void;
}

/** `dataVersion` answers a number that changes with every commit of another connection. */
export const createNews = (dataVersion: () => number): News => {
  const listeners = new Set<(topic: Topic) => void>();
  let timer: NodeJS.Timeout | undefined;

  const notify = (news: readonly Topic[]) => {
    for (const topic of news) for (const listener of [...listeners]) listener(topic);
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
      notify(topics);
    }, pollMs);
    timer.unref();
  };

  return {
    notify,
    subscribe(listener) {
      // A wrapper, so that the same function may listen twice.
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
    },
  };
};
