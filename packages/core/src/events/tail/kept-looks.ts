import type { EventFilter, EventRecord, EventsAfter } from "../../ports/storage.ts";
import { type LoggedEvent, viewForAll } from "../event-view.ts";
import { isMatch } from "./filter-events.ts";

/** Number of events, and of characters in them, that are kept for followers who are a little behind. */
const kept = { events: 2_000, characters: 2_000_000 };
/**
 * Ms for which they are kept: where little happens these would be the same for days, with people in them who were erased
 * since.
 */
const keptMs = 60_000;

/** A filter with its key, `keyOfFilter`. */
export interface KeyedFilter {
  key: string;
  filter: EventFilter;
}

/** What a follower finds after an id: the events that match its filter, and how far the log was looked through. */
export interface Found {
  events: readonly LoggedEvent[];
  upTo: number;
  /** Whether there may be more. */
  isMore: boolean;
}

/** One look at the log: the events after `after`, up to `upTo`. */
interface Look {
  after: number;
  upTo: number;
  /** When it was made, by `performance.now()`. */
  at: number;
  records: readonly EventRecord[];
  characters: number;
  /** Views of the events that a filter matches, by the filter's key. */
  matching: Map<string, readonly LoggedEvent[]>;
  views: Map<EventRecord, LoggedEvent>;
}

/** The last looks at the log, without a gap between them. */
export interface KeptLooks {
  /** Id up to which the log was looked through. */
  end(): number;
  /** Forgets all looks, and goes on after this id. */
  clear(end: number): void;
  /** Adds the look that began at the end. */
  add(found: EventsAfter): void;
  /** Returns the first events after an id that match; `undefined` if that is from before the looks that are kept. */
  after(id: number, filter: KeyedFilter): Found | undefined;
}

/**
 * Creates an empty list of looks. Each event is compared with a filter once, and viewed once: whoever has that filter
 * gets the same array of the same frozen objects.
 */
export function createKeptLooks(): KeptLooks {
  let looks: Look[] = [];
  let end = 0;
  function forgetOld(): void {
    const from = performance.now() - keptMs;
    while (looks[0] !== undefined && looks[0].at < from) looks.shift();
  }
  return {
    end: () => end,
    clear(id) {
      looks = [];
      end = id;
    },
    add({ events: records, upTo }) {
      forgetOld();
      const last = looks.at(-1);
      // One without events needs no place of its own.
      if (records.length === 0 && last !== undefined) last.upTo = upTo;
      else looks.push(createLook(end, upTo, records));
      end = upTo;
      while (looks.length > 1 && isTooMuch(looks)) looks.shift();
    },
    after(id, filter) {
      if (id >= end) return { events: [], upTo: id, isMore: false };
      forgetOld();
      if (id < (looks[0]?.after ?? end)) return undefined;
      // From the end: most followers lack the last one or two of thousands.
      for (const look of looks.slice(looks.findLastIndex(({ upTo }) => upTo <= id) + 1)) {
        const matching = matchingOf(look, filter);
        const events = look.after < id ? matching.filter((event) => event.id > id) : matching;
        if (events.length > 0) return { events, upTo: look.upTo, isMore: look.upTo < end };
      }
      return { events: [], upTo: end, isMore: false };
    },
  };
}

const createLook = (after: number, upTo: number, records: readonly EventRecord[]): Look => ({
  after,
  upTo,
  at: performance.now(),
  records,
  characters: records.reduce((sum, { message, metadata }) => sum + message.length + metadata.length, 0),
  matching: new Map(),
  views: new Map(),
});

function isTooMuch(looks: readonly Look[]): boolean {
  const events = looks.reduce((sum, { records }) => sum + records.length, 0);
  const characters = looks.reduce((sum, look) => sum + look.characters, 0);
  return events > kept.events || characters > kept.characters;
}

function matchingOf(look: Look, { key, filter }: KeyedFilter): readonly LoggedEvent[] {
  let matching = look.matching.get(key);
  if (matching === undefined) {
    matching = look.records.filter((record) => isMatch(record, filter)).map((record) => viewOf(look, record));
    look.matching.set(key, matching);
  }
  return matching;
}

function viewOf({ views }: Look, record: EventRecord): LoggedEvent {
  let view = views.get(record);
  if (view === undefined) {
    view = viewForAll(record);
    views.set(record, view);
  }
  return view;
}
