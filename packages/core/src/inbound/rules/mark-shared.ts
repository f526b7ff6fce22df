import { searched } from "./find-reasons.ts";
import type { Finding } from "./report.ts";

/** How Postfix, Exim and Sendmail say in their text that the content was refused. */
const ofContent = /(?:in\s+reply\s+to|after)\s+(?:pipelined\s+)?end\s+of\s+data\b|^>>> DATA\n<<< 5/im;

/** Marks the bounces of a notification that one refusal of the content caused, as its text tells. */
export function markShared(findings: Finding[], text: string): Finding[] {
  const bounces = findings.filter(({ kind }) => kind === "bounce");
  if (bounces.length < 2 || !ofContent.test(text.slice(0, searched))) return findings;
  const counts = new Map<string, number>();
  for (const { reply } of bounces) counts.set(reply, (counts.get(reply) ?? 0) + 1);
  return findings.map((one) => ({ ...one, isShared: (counts.get(one.reply) ?? 0) > 1 }));
}
