import stringWidth from "fast-string-width";
import type { FollowedEvent } from "../../program/connection/api.ts";
import { paint } from "../../terminal/paint.ts";
import { readable } from "../../terminal/report-done.ts";
import { safeText } from "../../terminal/safe-text.ts";
import { wrapText } from "../../terminal/wrap-text.ts";
import type { PostOutcome } from "./post-signed.ts";

/** Columns of the terminal from which a line has its time in full, and room for the longest type. */
const wide = 100;
/** Columns from which the types that are frequent have a column. */
const medium = 80;
const gap = "  ";

/**
 * Formats a forwarded event for people: time, type, e-mail and the receiver's answer. Narrow terminals get the time
 * without its date, and an answer that finds no room on the line is below it; the id stays whole.
 */
export function forwardedLine(
  { created_at: at, type }: Pick<FollowedEvent, "created_at" | "type">,
  emailId: string,
  { status, error, durationMs }: PostOutcome,
  width: number = process.stdout.columns || Number.POSITIVE_INFINITY,
): string {
  const time = readable(at);
  const shownTime = width < wide ? time.slice(11, 19) : time;
  const shownType = safeText(type).padEnd(width < medium ? 0 : width < wide ? 13 : 22);
  const lead = [paint("dim", shownTime), shownType, emailId].join(gap);
  const answer = error === "" ? `→ ${status}` : `✗ ${safeText(error)}`;
  const colour = error === "" ? "green" : "red";
  const taken = stringWidth([shownTime, shownType, emailId, answer, `${durationMs} ms`].join(gap));
  if (taken <= width) return [lead, paint(colour, answer), `${durationMs} ms`].join(gap);
  const below = wrapText(`${answer}${gap}${durationMs} ms`, width - gap.length);
  return [lead, ...below.map((line) => gap + paint(colour, line))].join("\n");
}
