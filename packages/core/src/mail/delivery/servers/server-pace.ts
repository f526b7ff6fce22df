import { setImmediate } from "node:timers";
import type { SmtpServer, Storage } from "../../../ports/storage.ts";
import type { QueueClock } from "../../../queue/queue-clock.ts";

/**
 * Maximum µs ahead for which a slot is taken: the time for which a message may occupy a place among those in progress.
 */
const within = 1_000_000;
/** Minimum ms until the next request once all slots are taken, so that it gets several of them. */
const refillMs = 500;

/** Permission to send in `waitMs`, or the ms until another request makes sense. */
export type Pace = { waitMs: number } | { retryAfterMs: number };

/** Enforces the configured pace of servers across all processes. */
export interface ServerPace {
  /** Takes the server's next free slot, unless it is more than a second away. */
  take(server: SmtpServer): Promise<Pace>;
}

/** What a pace is kept with. */
export interface PaceMeans {
  storage: Pick<Storage, "smtpServers">;
  queueClock: Pick<QueueClock, "now">;
}

interface Waiting {
  resolve: (pace: Pace) => void;
  reject: (error: unknown) => void;
}

/**
 * Creates a pace. Slots requested in one tick are taken with one statement per server, in the order of the requests.
 */
export function createServerPace({ storage, queueClock }: PaceMeans): ServerPace {
  const asked = new Map<number, { interval: number; waiting: Waiting[] }>();

  async function takeAll(row: number): Promise<void> {
    const { interval = 0, waiting = [] } = asked.get(row) ?? {};
    asked.delete(row);
    const now = queueClock.now() * 1000;
    try {
      const wanted = { count: waiting.length, interval, now, within };
      const { granted, first, next } = await storage.smtpServers.takeSlots(row, wanted);
      for (const [index, { resolve }] of waiting.entries()) {
        if (index < granted) resolve({ waitMs: Math.max(0, (first + index * interval - now) / 1000) });
        else resolve({ retryAfterMs: Math.max(refillMs, Math.ceil((next - now - within) / 1000)) });
      }
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }

  return {
    take(server) {
      const interval = intervalOf(server);
      if (interval === undefined) return Promise.resolve({ waitMs: 0 });
      return new Promise((resolve, reject) => {
        const known = asked.get(server.row);
        if (known !== undefined) {
          known.waiting.push({ resolve, reject });
          return;
        }
        asked.set(server.row, { interval, waiting: [{ resolve, reject }] });
        setImmediate(takeAll, server.row);
      });
    },
  };
}

/** Returns the µs between two messages; `undefined` without a limit. */
export function intervalOf({ maxPerSecond, maxPerHour }: SmtpServer): number | undefined {
  const intervals = [
    ...(maxPerSecond === undefined ? [] : [1_000_000 / maxPerSecond]),
    ...(maxPerHour === undefined ? [] : [3_600_000_000 / maxPerHour]),
  ];
  return intervals.length === 0 ? undefined : Math.ceil(Math.max(...intervals));
}
