import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { parseInput } from "../calls/parse-input.ts";
import { timeField } from "../calls/time-fields.ts";
import type { EventFilter } from "../ports/storage/events.ts";
import type { Storage } from "../ports/storage.ts";
import { eventCategory, type LoggedEvent, viewEvent } from "./event-view.ts";

const batch = 500;
/** Ms after which the log is read without a notification, for example because the listening connection was lost. */
const net = 1_000;

/** Position to follow from, and filters; `workspaceId: "all"` for the events of every workspace. */
export interface FollowOptions extends Omit<EventFilter, "since"> {
  /** Only events at or after this time: ISO 8601 with an offset, a `Date`, or ms since the epoch. */
  since?: string | Date | number | undefined;
  /** Id of the last event seen. Default: the present last event, so that only later ones follow. */
  after?: number | undefined;
  /** Whether to wait for later events. Default true; with false, iteration ends after the last stored event. */
  waits?: boolean | undefined;
  /** Ends the iteration when aborted. */
  signal: AbortSignal;
  /**
   * Asked between a look at the log and the events that it found, so that nothing is told that was committed after the
   * reader lost the right to it. The iteration ends once it answers false.
   */
  isAllowed?: (() => Promise<boolean>) | undefined;
  /** Told the id up to which the log was looked through, once all events up to there were taken. */
  passed?: ((id: number) => void) | undefined;
  /**
   * Told that retention removed events after the one that was last seen, before they could be read: the id of the last
   * that it removed. Never told to a reader of the whole log, `after: 0`, which had seen none.
   */
  missed?: ((upTo: number) => void) | undefined;
}

/** Anything else would follow other events than those meant, or none, without a word. */
const followInput = z.strictObject({
  workspaceId: z.union([z.int().positive(), z.literal("all")]),
  userId: z.int().positive().optional(),
  category: eventCategory.optional(),
  type: z.string().optional(),
  since: timeField.optional(),
  after: z.int().min(0).optional(),
  waits: z.boolean().optional(),
});

/**
 * Iterates over the events of all processes in the order of commits, each once and without gaps, until the signal
 * aborts. Rejects with `validation_failed` for an option that is wrong or unknown, and if the storage fails: follow again
 * after the last id seen.
 */
export async function* followEvents(storage: Storage, options: FollowOptions): AsyncGenerator<LoggedEvent> {
  if (typeof options?.signal?.addEventListener !== "function")
    throw new TypeError("followEvents takes an object with signal, an AbortSignal that ends it");
  const { signal, isAllowed, passed, missed, ...rest } = options;
  const { after, waits = true, ...filter } = parseInput(followInput, rest);
  const bell = createBell(storage, signal);
  try {
    let last = after ?? (await storage.events.lastId());
    const findGap = createGapFinder(storage, last);
    while (!signal.aborted) {
      const { events, upTo, isMore } = await storage.events.listAfter(last, filter, batch);
      // Asked after the look: what is removed later was looked through.
      const gap = missed === undefined ? undefined : await findGap(last, isMore);
      if ((events.length > 0 || gap !== undefined) && (await isAllowed?.()) === false) return;
      if (gap !== undefined) missed?.(gap);
      for (const event of events) {
        if (signal.aborted) return;
        yield viewEvent(event);
        last = event.id;
      }
      // The position also moves past events that the filter excludes: otherwise each look would read them again.
      last = upTo;
      passed?.(upTo);
      // Others have their turn between two looks.
      if (isMore) await setImmediate();
      else if (!waits) return;
      else await bell.wait();
    }
  } finally {
    bell.close();
  }
}

/**
 * Creates a function that returns the id of the last event that was removed, if it was removed behind `last` and was not
 * returned before. It asks only where a reader may be as far behind as retention: at the first look, and at one that
 * leaves more.
 */
function createGapFinder(
  { events }: Pick<Storage, "events">,
  start: number,
): (last: number, isMore: boolean) => Promise<number | undefined> {
  let told = 0;
  let isFirst = true;
  return async (last, isMore) => {
    if (start === 0 || !(isFirst || isMore)) return undefined;
    isFirst = false;
    const removed = await events.lastRemoved();
    if (removed <= Math.max(last, told)) return undefined;
    told = removed;
    return removed;
  };
}

/** Creates a wake-up signal for new events. A signal between two waits is not lost. */
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
