import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { parseInput } from "../calls/input/parse-input.ts";
import { timeField } from "../calls/input/time-fields.ts";
import type { EventFilter, Storage } from "../ports/storage.ts";
import { eventCategory, type LoggedEvent, viewForAll } from "./event-view.ts";
import type { Found } from "./tail/kept-looks.ts";
import { type TailPlace, tailOf } from "./tail/log-tail.ts";
import { lookSize } from "./tail/watch-tail.ts";

/** Position to follow from, and filters; `workspaceId: "all"` for the events of every workspace. */
export interface FollowOptions extends Omit<EventFilter, "since"> {
  /**
   * Only events at or after this time: ISO 8601 with an offset, a `Date`, or ms since the epoch. Without `after` it is
   * where to begin, too.
   */
  since?: string | Date | number | undefined;
  /** Id of the last event seen. Default: with `since` 0, else the present last event, so that only later ones follow. */
  after?: number | undefined;
  /** Whether to wait for later events. Default true; with false, iteration ends after the last stored event. */
  waits?: boolean | undefined;
  /** Ends the iteration when aborted. */
  signal: AbortSignal;
  /**
   * Asked between a look at the log and the events that it found, so that nothing is told that was committed after the
   * reader lost the right to it. It is told the id up to which the log was looked through. The iteration ends once it
   * answers false.
   */
  isAllowed?: ((upTo: number) => Promise<boolean>) | undefined;
  /** Told the id up to which the log was looked through, once all events up to there that match were taken. */
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
 * aborts. Followers in one process share their looks at the log, and the events, which are frozen. Rejects with
 * `validation_failed` for an option that is wrong or unknown, and if the storage fails: follow again after the last id
 * seen.
 */
export async function* followEvents(storage: Storage, options: FollowOptions): AsyncGenerator<LoggedEvent> {
  for await (const events of followEventBatches(storage, options)) {
    for (const event of events) {
      if (options.signal.aborted) return;
      yield event;
    }
  }
}

/**
 * As `followEvents`, with all that one look at the log found at a time: never none. Followers with the same filter get
 * the same array.
 */
export async function* followEventBatches(
  storage: Storage,
  options: FollowOptions,
): AsyncGenerator<readonly LoggedEvent[]> {
  if (typeof options?.signal?.addEventListener !== "function")
    throw new TypeError("followEvents takes an object with signal, an AbortSignal that ends it");
  const { signal, isAllowed, passed, missed, ...rest } = options;
  const { after, waits = true, ...filter } = parseInput(followInput, rest);
  let last = after ?? (filter.since === undefined ? await storage.events.lastId() : 0);
  // Who does not wait wants what is there now, and not what the others' last look found.
  const place = waits ? takePlace(storage, filter, { signal, passed }) : undefined;
  const findGap = createGapFinder(storage, last);
  try {
    while (!signal.aborted) {
      const shared = place?.after(last);
      const { events, upTo, isMore } = shared ?? (await lookAlone(storage, filter, { last, signal }));
      // Asked after the look: what is removed later was looked through. Who looks alone may be as far behind as retention.
      const gap = shared || !missed ? undefined : await findGap(last);
      if ((events.length > 0 || gap !== undefined) && (await isAllowed?.(upTo)) === false) return;
      if (gap !== undefined) missed?.(gap);
      if (signal.aborted) return;
      if (events.length > 0) yield events;
      // The position also moves past events that the filter excludes: otherwise each look would read them again.
      last = upTo;
      passed?.(upTo);
      // Others have their turn between two looks.
      if (isMore) await setImmediate();
      else if (place === undefined) return;
      else last = await place.wait(last);
    }
  } finally {
    place?.leave();
  }
}

/** Takes a place at the end of the log, which ends with the signal. */
function takePlace(
  storage: Storage,
  filter: EventFilter,
  { signal, passed }: Pick<FollowOptions, "signal" | "passed">,
): TailPlace {
  // It is told by looks that were made for all: the host goes on in the context in which it follows.
  const place = tailOf(storage).join(
    filter,
    AsyncLocalStorage.bind((id: number) => passed?.(id)),
  );
  signal.addEventListener("abort", place.leave);
  return {
    ...place,
    leave() {
      signal.removeEventListener("abort", place.leave);
      place.leave();
    },
  };
}

/**
 * Looks at the log for one follower, who is further behind than the looks that are kept for all. One at a time does so:
 * of hundreds who come back at once, each would otherwise take the database's time and a connection.
 */
async function lookAlone(
  storage: Storage,
  filter: EventFilter,
  { last, signal }: { last: number; signal: AbortSignal },
): Promise<Found> {
  const leave = await tailOf(storage).loneLooks.enter();
  try {
    if (signal.aborted) return { events: [], upTo: last, isMore: false };
    const found = await storage.events.listAfter(last, filter, lookSize);
    return { ...found, events: found.events.map(viewForAll) };
  } finally {
    leave();
  }
}

/**
 * Creates a function that returns the id of the last event that was removed, if it was removed behind `last` and was not
 * returned before.
 */
function createGapFinder(
  { events }: Pick<Storage, "events">,
  start: number,
): (last: number) => Promise<number | undefined> {
  let told = 0;
  return async (last) => {
    if (start === 0) return undefined;
    const removed = await events.lastRemoved();
    if (removed <= Math.max(last, told)) return undefined;
    told = removed;
    return removed;
  };
}
