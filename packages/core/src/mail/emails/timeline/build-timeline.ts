import { acceptanceEntries } from "./acceptance-entries.ts";
import { attemptEntries } from "./attempt-entries.ts";
import { hitEntries } from "./hit-entries.ts";
import {
  deliveryEntries,
  eventEntries,
  reportEntries,
  stateEntries,
  suppressedEntries,
} from "./later-entries.ts";
import type { TimelineSources } from "./read-sources.ts";
import type { NewEntry, TimelineEntry } from "./timeline-entry.ts";

/** Builders of a timeline, in the order for entries of the same time. */
const chapters: readonly ((sources: TimelineSources) => NewEntry[])[] = [
  acceptanceEntries,
  suppressedEntries,
  attemptEntries,
  reportEntries,
  eventEntries,
  hitEntries,
  stateEntries,
  deliveryEntries,
];

/** Returns what happened to an e-mail and what it waits for, oldest first. */
export const buildTimeline = (sources: TimelineSources): TimelineEntry[] =>
  chapters
    .flatMap((entriesOf) => entriesOf(sources))
    .map((entry) => ({ recipient: undefined, handovers: [], ...entry }))
    .sort((a, b) => a.at - b.at);
