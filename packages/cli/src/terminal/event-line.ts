import type { FollowedEvent } from "../program/connection/api.ts";
import { paint } from "./paint.ts";
import { readable } from "./report-done.ts";
import { safeText } from "./safe-text.ts";
import { padText } from "./table.ts";

const colours = {
  audit: "cyan",
  email: "green",
  webhook: "magenta",
  campaign: "blue",
  system: "yellow",
} as const;

/** Types of events that report a failure. */
const bad = /(_failed|\.failed|\.bounced|\.complained|\.disabled)$/;

/** Formats an event as one line for people: id, time, category, type, workspace, actor, message. */
export function eventLine(event: FollowedEvent): string {
  const { id, category, type, metadata, workspace_id: workspaceId, actor_name: actorName } = event;
  const place = workspaceId === null ? "–" : `workspace ${workspaceId}`;
  // The actor has a separate column.
  const message = event.message.startsWith(`${actorName} `)
    ? event.message.slice(actorName.length + 1)
    : event.message;
  return [
    paint("dim", String(id).padStart(6)),
    paint("dim", readable(event.created_at)),
    paint(colours[category] ?? "white", category.padEnd(8)),
    paint(bad.test(type) ? ["bold", "red"] : "bold", safeText(type).padEnd(24)),
    place.padEnd(14),
    padText(safeText(actorName || "–"), 16),
    `${safeText(message)} ${metadata === "{}" ? "" : paint("dim", safeText(metadata))}`.trimEnd(),
  ].join("  ");
}
