import { tellAcceptance } from "./at-acceptance.ts";
import type { TimelineSources } from "./read-sources.ts";
import { tellDeliveries, tellEvents, tellReports, tellStanding, tellSuppressed } from "./tell-afterwards.ts";
import { tellAttempts } from "./tell-attempts.ts";
import type { NewEntry, TimelineEntry } from "./timeline-entry.ts";

/** Builders of a timeline, in the order for entries of the same time. */
const chapters: readonly ((sources: TimelineSources) => NewEntry[])[] = [
  tellAcceptance,
  tellSuppressed,
  tellAttempts,
  tellReports,
  tellEvents,
  tellStanding,
  tellDeliveries,
];

/** Returns what happened to an e-mail and what it waits for, oldest first. */
export const buildTimeline = (sources: TimelineSources): TimelineEntry[] =>
  chapters
    .flatMap((tell) => tell(sources))
    .map((entry) => ({ recipient: undefined, handovers: [], ...entry }))
    .sort((a, b) => a.at - b.at);
