import stringWidth from "fast-string-width";
import type { FollowedEvent } from "../program/connection/api.ts";
import { paint } from "./paint.ts";
import { readable } from "./report-done.ts";
import { safeText } from "./safe-text.ts";
import { cutText, padText } from "./table.ts";
import { wrapText } from "./wrap-text.ts";

const colours = {
  audit: "cyan",
  email: "green",
  webhook: "magenta",
  campaign: "blue",
  system: "dim",
} as const;

/** Types of events that report a failure. */
const bad = /(_failed|\.failed|\.bounced|\.complained|\.disabled)$/;

/** Columns before the message, with their widths. */
const columns = { id: 6, time: 20, category: 8, type: 24, place: 14, actor: 16 } as const;
type Name = keyof typeof columns;
const gap = "  ";
/** Those that a narrow terminal has no room for, the first to go first: what the message tells, too, and the place. */
const spare: readonly Name[] = ["category", "place", "actor", "type"];
/** Columns of the terminal that the message has at least. */
const leastRoom = 40;

/**
 * Formats an event as one line for people: id, time, category, type, workspace, actor, message and metadata. On a
 * terminal that is too narrow, columns are left out and the end is cut; that of a failure continues below.
 */
export function eventLine(
  event: FollowedEvent,
  width: number = process.stdout.columns || Number.POSITIVE_INFINITY,
): string {
  const { category, type, metadata, actor_name: actorName } = event;
  const names = fitNames(width);
  const isBad = bad.test(type);
  const texts: Record<Name, string> = {
    id: paint("dim", String(event.id).padStart(columns.id)),
    time: paint("dim", readable(event.created_at)),
    category: paint(colours[category] ?? "reset", category.padEnd(columns.category)),
    type: paint(isBad ? ["bold", "red"] : "bold", safeText(type).padEnd(columns.type)),
    place: (event.workspace_id === null ? "–" : `workspace ${event.workspace_id}`).padEnd(columns.place),
    actor: padText(safeText(actorName || "–"), columns.actor),
  };
  const isTold = names.includes("actor") && event.message.startsWith(`${actorName} `);
  const message = safeText(isTold ? event.message.slice(actorName.length + 1) : event.message);
  const text = metadata === "{}" ? message : `${message} ${safeText(metadata)}`;
  const lead = names.map((name) => texts[name]).join(gap) + gap;
  const before = stringWidth(lead.replaceAll("\u200e", ""));
  const room = width - before;
  const lines = isBad ? wrapText(text, room) : [cutText(text, room)];
  const [first = "", ...more] = lines;
  const details = first.slice(message.length);
  const painted = first.slice(0, message.length) + (details === "" ? "" : paint("dim", details));
  return [lead + painted, ...more.map((line) => " ".repeat(before) + paint("dim", line))].join("\n");
}

function fitNames(width: number): Name[] {
  let names = Object.keys(columns) as Name[];
  const taken = (): number => names.reduce((sum, name) => sum + columns[name] + gap.length, 0);
  for (const name of spare) if (taken() + leastRoom > width) names = names.filter((one) => one !== name);
  return names;
}
