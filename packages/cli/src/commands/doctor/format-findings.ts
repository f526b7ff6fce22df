import { paint } from "../../terminal/paint.ts";
import { wrapText } from "../../terminal/wrap-text.ts";
import type { Finding } from "./finding.ts";

/** Minimum width in columns of a check's text. */
const leastText = 20;

/** Returns the lines of a report for a terminal of so many columns: signs, checks, and their texts beside them. */
export function formatFindings(findings: readonly Finding[], columns: number): string[] {
  const signs = { ok: paint("green", "✓"), warning: paint("yellow", "!"), broken: paint("red", "✗") };
  const width = Math.max(...findings.map(({ check }) => check.length));
  const margin = " ".repeat(width + 4);
  const room = Math.max(columns - margin.length, leastText);
  return findings.flatMap(({ check, state, found, advice }) => {
    const [first = "", ...more] = wrapText(found, room);
    return [
      `${signs[state]} ${check.padEnd(width)}  ${first}`,
      ...more.map((line) => `${margin}${line}`),
      ...(advice === undefined ? [] : wrapText(advice, room)).map((line) => `${margin}${paint("dim", line)}`),
    ];
  });
}
