import stringWidth from "fast-string-width";
import { noWorker } from "../../service/no-worker.ts";
import { ageOf, duration } from "../../terminal/durations.ts";
import { grouped } from "../../terminal/grouped.ts";
import { paint } from "../../terminal/paint.ts";
import { safeText } from "../../terminal/safe-text.ts";
import { cutText, formatTable } from "../../terminal/table.ts";
import { wrapText } from "../../terminal/wrap-text.ts";
import { backlogWords, webhookTable } from "../queue/webhook-words.ts";
import type { Look, Totals } from "./rates.ts";

type Queue = Look["queue"];

/** Contents of a frame. */
export interface QueueFrame {
  queue: Queue;
  rates: Totals | undefined;
  /** Current time, ms since the epoch. */
  now: number;
  /** Name of the database or server. */
  place: string;
  /** What to do where no worker runs. */
  advice: string;
  /** Why the data could not be updated. */
  trouble?: string | undefined;
}

/** Columns and lines available. */
export interface FrameSize {
  columns: number;
  rows: number;
}

/** Minimum number of failures shown beside many routes. */
const leastFailures = 3;

/** Formats the queue's status as lines that fit into the given size. */
export function queueFrame(frame: QueueFrame, { columns, rows }: FrameSize): string[] {
  const { queue, now } = frame;
  const top = summary(frame, columns);
  const room = Math.max(0, rows - top.length);
  const failureRoom = Math.min(queue.failures.length, leastFailures) + 3;
  // If there is room for only one table, it is the routes.
  const routeRoom = room < 9 ? room : Math.max(Math.ceil(room / 2), room - failureRoom);
  const routes = section(routesTable(queue, { now, columns }), queue.routes.length, routeRoom);
  const { endpoints } = queue.webhooks;
  const left = room - routes.length;
  // The failures of e-mails come first where there is no room for both.
  const webhookRoom = left - Math.min(queue.failures.length + 2, failureRoom);
  const webhooks = section(webhookTable(queue.webhooks, now, columns), endpoints.length, webhookRoom);
  const failures = section(
    failuresTable(queue, { now, columns }),
    queue.failures.length,
    left - webhooks.length,
  );
  return [...top, ...routes, ...webhooks, ...failures].slice(0, rows);
}

function summary({ queue, rates, now, place, advice, trouble }: QueueFrame, columns: number): string[] {
  const clock = `${new Date(now).toISOString().slice(11, 19)}Z`;
  const title = cutText(safeText(place), Math.max(10, columns - clock.length - 2));
  const { due, waiting, leased, paused, paused_reason, workers } = queue;
  const oldest = ageOf(queue.oldest_due_at, now);
  const line = (name: string, text: string): string =>
    `${paint("bold", name.padEnd(12))}${cutText(text, columns - 12)}`;
  const warnings = [
    ...(paused ? [`Paused: ${safeText(paused_reason ?? "")}`] : []),
    ...(!paused && workers.length === 0 && due > 0 ? [`${noWorker} ${advice}`] : []),
    ...(trouble === undefined ? [] : [safeText(trouble)]),
  ];
  return [
    `${paint("bold", title)}${paint("dim", clock.padStart(columns - stringWidth(title)))}`,
    line(
      "Queue",
      `${grouped(due)} due${oldest === undefined ? "" : `, oldest for ${oldest}`} · ${grouped(waiting)} later · ${grouped(leased)} in progress`,
    ),
    line("Per second", rates === undefined ? "…" : rateWords(rates)),
    line("Workers", workerWords(queue, now)),
    ...(queue.webhooks.pending === 0 ? [] : [line("Webhooks", backlogWords(queue.webhooks, now))]),
    // The text has the terminal's own colour: yellow can't be read on white.
    ...warnings.flatMap((text) =>
      wrapText(text, columns - 2).map((part, at) => `${at === 0 ? paint("yellow", "!") : " "} ${part}`),
    ),
    "",
  ];
}
const rate = (value: number): string => (value >= 100 ? grouped(Math.round(value)) : value.toFixed(1));

function rateWords({ accepted, delivered, deferred, bounced, complained, suppressed }: Totals): string {
  const always = `${rate(accepted)} accepted · ${rate(delivered)} delivered · ${rate(deferred)} deferred · ${rate(bounced)} bounced`;
  const seldom = { complained, suppressed };
  const more = Object.entries(seldom).flatMap(([name, value]) => (value > 0 ? `${rate(value)} ${name}` : []));
  return [always, ...more].join(" · ");
}

function workerWords({ workers }: Queue, now: number): string {
  if (workers.length === 0) return "none";
  const seen = workers.map(({ id, seen_at }) => `${safeText(id)} (${ageOf(seen_at, now)} ago)`);
  return `${workers.length}: ${seen.join(", ")}`;
}

interface Place {
  now: number;
  columns: number;
}

function routesTable({ routes }: Queue, { now, columns }: Place): string {
  return formatTable(
    routes,
    [
      { title: "ROUTE", cell: ({ route }) => route },
      { title: "DUE", cell: ({ due }) => grouped(due), align: "right" },
      { title: "LATER", cell: ({ waiting }) => grouped(waiting), align: "right" },
      { title: "IN PROGRESS", cell: ({ leased }) => grouped(leased), align: "right" },
      { title: "OLDEST", cell: ({ oldest_due_at }) => ageOf(oldest_due_at, now), align: "right" },
      { title: "HELD", cell: ({ holds }) => heldWords(holds, now), narrow: "cut" },
    ],
    columns,
  );
}

const heldWords = (holds: Queue["routes"][number]["holds"], now: number): string =>
  holds
    .map(({ until, reason }) => (until === null ? reason : `${duration(Date.parse(until) - now)}: ${reason}`))
    .join("; ");

function failuresTable({ failures }: Queue, { now, columns }: Place): string {
  return formatTable(
    failures,
    [
      { title: "AGO", cell: ({ at }) => ageOf(at, now), align: "right" },
      { title: "EVENT", cell: ({ type }) => type.replace("email.", "").replace("_", " ") },
      {
        title: "WORKSPACE",
        cell: ({ workspace_id }) => workspace_id ?? "service",
        align: "right",
        narrow: "spare",
      },
      { title: "REASON", cell: ({ reason }) => reason.replaceAll(/\s+/g, " "), narrow: "cut" },
      // With little room, the reason is more useful than the id.
      ...(columns < roomForIds ? [] : [{ title: "E-MAIL", cell: idOf }]),
    ],
    columns,
  );
}

const roomForIds = 110;
const idOf = ({ email_id }: Queue["failures"][number]): string => email_id;

/** Cuts a table to a number of lines, with a line for what is left out; returns nothing for an empty table. */
function section(table: string, count: number, room: number): string[] {
  const lines = table.trimEnd().split("\n");
  if (count === 0 || room < 4) return [];
  if (lines.length + 1 <= room) return [...lines, ""];
  const kept = lines.slice(0, room - 2);
  return [...kept, paint("dim", `… ${count - kept.length + 1} more`), ""];
}
