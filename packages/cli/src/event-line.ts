import type { Posthorn } from "@posthorn/core";
import { paint } from "./output.ts";
import { safeText } from "./safe-text.ts";
import { readable } from "./tell.ts";

type EventRecord = Awaited<ReturnType<Posthorn["events"]["list"]>>["items"][number];

const colours = {
  audit: "cyan",
  email: "green",
  webhook: "magenta",
  campaign: "blue",
  system: "yellow",
} as const;

/** Types that tell of something gone wrong. */
const bad = /(_failed|\.failed|\.bounced|\.complained|\.disabled)$/;

/** An event as one line for people: time, category, type, workspace, actor, message. */
export function eventLine(event: EventRecord): string {
  const { category, type, workspaceId, actorName, message, metadata } = event;
  const place = workspaceId === undefined ? "–" : `workspace ${workspaceId}`;
  return [
    paint("dim", readable(event.createdAt)),
    paint(colours[category] ?? "white", category.padEnd(8)),
    paint(bad.test(type) ? ["bold", "red"] : "bold", safeText(type).padEnd(22)),
    place.padEnd(14),
    safeText(actorName || "–").padEnd(16),
    `${safeText(message)} ${paint("dim", metadata === "{}" ? "" : safeText(metadata))}`.trimEnd(),
  ].join("  ");
}
