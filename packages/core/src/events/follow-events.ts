import { z } from "zod";
import { parseInput } from "../calls/parse-input.ts";
import { timeField } from "../calls/time-fields.ts";
import type { EventFilter } from "../ports/storage/events.ts";
import type { Storage } from "../ports/storage.ts";
import { type LoggedEvent, viewEvent } from "./event-view.ts";

const batch = 500;
/** Ms after which the log is looked at though nothing was heard, such as when the listening connection is lost. */
const net = 1_000;

/** Where to follow from, and what. */
export interface FollowOptions extends Omit<EventFilter, "since"> {
  /** Only events at or after this time: ISO 8601 with an offset, a `Date`, or ms since the epoch. */
  since?: string | Date | number | undefined;
  /** The id of the last event seen; default: only what happens from now on. */
  after?: number | undefined;
  /** Whether to wait for what happens later. Default true; else it ends with the last that stands. */
  waits?: boolean;
  /** Ends it. */
  signal: AbortSignal;
}

const sinceInput = z.object({ since: timeField.optional() });

/**
 * Events as they are committed, by any process, without a gap and each once, until the signal aborts. Rejects where the storage fails:
 * follow again after the last id seen.
 */
export async function* followEvents(
  storage: Storage,
  { after, signal, waits = true, since, ...rest }: FollowOptions,
): AsyncGenerator<LoggedEvent> {
  const filter = { ...rest, ...parseInput(sinceInput, { since }) };
  const bell = createBell(storage, signal);
  try {
    let last = after ?? (await storage.events.lastId());
    while (!signal.aborted) {
      // What the filter leaves out is passed by as well, or each look would read it again.
      const newest = await storage.events.lastId();
      const events = await storage.events.listAfter(last, filter, batch);
      for (const event of events) {
        if (signal.aborted) return;
        yield viewEvent(event);
        last = event.id;
      }
      if (events.length === batch) continue;
      if (events.length === 0) last = Math.max(last, newest);
      if (!waits) return;
      await bell.wait();
    }
  } finally {
    bell.close();
  }
}

/** Rings when there may be new events. A ring between two waits is not lost. */
function createBell(storage: Storage, signal: AbortSignal): { wait(): Promise<void>; close(): void } {
  let rang = false;
  let wake: (() => void) | undefined;
  const ring = (): void => {
    rang = true;
    wake?.();
  };
  const unsubscribe = storage.subscribe((topic) => {
    if (topic === "events") ring();
  });
  signal.addEventListener("abort", ring);
  return {
    async wait() {
      if (!rang) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, net);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      rang = false;
      wake = undefined;
    },
    close() {
      unsubscribe();
      signal.removeEventListener("abort", ring);
    },
  };
}
