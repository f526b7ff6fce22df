import type { RouteVerb } from "../../program/verbs/route-verb-shape.ts";
import { readable } from "../../terminal/report-done.ts";

type Columns = NonNullable<RouteVerb<"GET /workspaces/current/campaigns">["columns"]>;
type Column = Columns[number];

const first: Columns = [
  { title: "ID", cell: ({ id }) => String(id) },
  { title: "NAME", cell: ({ name }) => name, narrow: "cut" },
  {
    title: "STATUS",
    cell: ({ status, paused_reason: why, limited_until: until }) => {
      if (until !== null) return `${status}: waits for the plan's limit until ${readable(until)}`;
      return why === null ? status : `${status}: ${why}`;
    },
    narrow: "cut",
  },
  { title: "RECIPIENTS", cell: ({ recipients }) => String(recipients) },
];
const sent: Column = { title: "SENT", cell: ({ counts }) => String(counts.sent) };
const failed: Column = { title: "FAILED", cell: ({ counts }) => String(counts.failed), narrow: "spare" };
const skipped: Column = { title: "SKIPPED", cell: ({ counts }) => String(counts.skipped), narrow: "spare" };
const started: Column = { title: "STARTED", cell: ({ started_at: at }) => readable(at), narrow: "spare" };

/** Columns of a list of campaigns. */
export const columns: Columns = [...first, sent, failed, skipped, started];

/** What is shown of a single campaign: where all of its recipients are, and what came back. */
export const detailedColumns: Columns = [
  ...first,
  { title: "NOT YET QUEUED", cell: ({ counts }) => String(counts.pending) },
  { title: "QUEUED SO FAR", cell: ({ counts }) => String(counts.queued) },
  sent,
  failed,
  skipped,
  { title: "CANCELLED", cell: ({ counts }) => String(counts.cancelled) },
  { title: "BOUNCED", cell: ({ counts }) => String(counts.bounced) },
  { title: "COMPLAINED", cell: ({ counts }) => String(counts.complained) },
  { title: "OPENED", cell: ({ counts }) => String(counts.opened) },
  { title: "CLICKED", cell: ({ counts }) => String(counts.clicked) },
  { title: "UNSUBSCRIBED", cell: ({ counts }) => String(counts.unsubscribed) },
  started,
];

type CheckColumns = NonNullable<RouteVerb<"POST /workspaces/current/campaigns/{id}/check">["columns"]>;

/** What is shown of a check: what keeps recipients from getting the campaign, in words. */
export const checkColumns: CheckColumns = [
  { title: "RECIPIENTS", cell: ({ recipients }) => String(recipients) },
  { title: "LEFT OFF THE LIST", cell: ({ invalid }) => String(invalid) },
  { title: "SUPPRESSED", cell: ({ suppressed }) => String(suppressed) },
  {
    title: "MISSING",
    cell: ({ missing }) => missing.map(({ name, count }) => `${name} (${count})`).join(", "),
  },
  {
    title: "REFUSALS",
    cell: ({ reasons }) => reasons.map(({ message, count }) => `${message} (${count})`).join(" "),
  },
  { title: "BYTES", cell: ({ size }) => String(size), narrow: "spare" },
  {
    title: "WARNINGS",
    cell: ({ warnings }) => warnings.map(({ message }) => message).join(" "),
    narrow: "spare",
  },
  { title: "DAYS AT LIMITS", cell: ({ days_at_limits: days }) => String(days) },
];
