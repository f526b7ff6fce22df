import type { CommandContext } from "../../program/connection/command-context.ts";
import { safeText } from "../../terminal/safe-text.ts";
import { wrapText } from "../../terminal/wrap-text.ts";
import { readEmail } from "./read-email.ts";
import { timelineLines } from "./timeline-lines.ts";

/** Prints what happened to an e-mail, in order, and what it waits for. */
export async function explain(
  context: CommandContext,
  id: string,
  { workspace }: { workspace?: string },
): Promise<void> {
  const { output } = context;
  const email = await readEmail(context, id, workspace);
  if (output.json) return output.record({}, { id: email.id, status: email.status, timeline: email.timeline });
  const [first = "nobody", ...others] = email.to;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const subject = email.subject === "" ? "" : `"${email.subject}" `;
  const width = process.stdout.columns || 80;
  const summary = safeText(`${email.id}: ${subject}to ${first}${more} is ${email.status.replace("_", " ")}`);
  output.data(wrapText(summary, width, "whole").join("\n"));
  output.data("");
  output.data(timelineLines(email.timeline, width).join("\n"));
}
