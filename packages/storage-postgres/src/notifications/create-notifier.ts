import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers";
import { setTimeout as delay } from "node:timers/promises";
import { type Topic, topics } from "@posthorn/core/storage";
import type { Handle } from "@posthorn/storage-sql";
import { sql } from "kysely";

const isTopic = (text: string): text is Topic => (topics as readonly string[]).includes(text);

/**
 * Minimum ms between two notifications to other processes; topics collect meanwhile. After a pause there is no wait.
 */
const gatherMs = 50;

/** Notifies this process's listeners at once, and other processes through PostgreSQL. */
export interface Notifier {
  notify(topics: readonly Topic[]): void;
  subscribe(listener: (topic: Topic) => void): () => void;
  close(): Promise<void>;
}

export interface NotifierOptions {
  /** Sends a payload to every process. */
  send(payload: string): Promise<void>;
  /** Called once, when the first listener is added. */
  listen(on: { payload(payload: string): void; missed(): void }): { close(): void };
}

/** Notifies within an open transaction: PostgreSQL delivers when it commits. */
export const notifyWithin = async (db: Handle, channel: string, about: readonly Topic[]): Promise<void> => {
  await sql`select pg_notify(${channel}, ${[...about].join()})`.execute(db);
};

/**
 * Creates the notifications. A payload is topics joined by commas, then the sender's id if the sender has already
 * notified itself.
 */
export const createNotifier = ({ send, listen }: NotifierOptions): Notifier => {
  const self = randomUUID();
  const listeners = new Set<(topic: Topic) => void>();
  const waiting = new Set<Topic>();
  let sending: Promise<void> | undefined;
  let listening: { close(): void } | undefined;
  let sentAt = Number.NEGATIVE_INFINITY;
  const closing = new AbortController();

  const tell = (about: readonly Topic[]) => {
    for (const topic of about) for (const listener of [...listeners]) listener(topic);
  };

  /** One statement at a time, and not continuously. */
  const sendAll = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.size > 0) {
      const rest = sentAt + gatherMs - performance.now();
      if (rest > 0) await delay(rest, undefined, { signal: closing.signal }).catch(() => {});
      sentAt = performance.now();
      const payload = `${[...waiting].join()} ${self}`;
      waiting.clear();
      // Lost notifications are made up for by polling, in listeners and in workers.
      await send(payload).catch(() => {});
    }
    sending = undefined;
  };

  const hear = (payload: string) => {
    const [about = "", sender] = payload.split(" ");
    if (sender !== self) tell(about.split(",").filter(isTopic));
  };

  return {
    notify(about) {
      tell(about);
      for (const topic of about) waiting.add(topic);
      sending ??= sendAll();
    },
    subscribe(listener) {
      // A wrapper, so that the same function may be registered twice.
      const own = (topic: Topic) => listener(topic);
      listeners.add(own);
      listening ??= listen({ payload: hear, missed: () => tell(topics) });
      return () => {
        listeners.delete(own);
      };
    },
    async close() {
      listeners.clear();
      listening?.close();
      closing.abort();
      await sending;
    },
  };
};
