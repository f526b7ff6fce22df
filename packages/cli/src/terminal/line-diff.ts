import { diffArrays } from "diff";
import { paint } from "./paint.ts";
import { safeText } from "./safe-text.ts";

/** A line of a difference: unchanged, removed or added. */
export interface DiffLine {
  mark: " " | "-" | "+";
  text: string;
}

const context = 3;
/** Number of changed lines above which a text counts as replaced: the time of the search grows with its square. */
const maxEditLength = 2_000;

/** Returns the line differences of two texts; empty if they are equal. */
export function diffLines(before: string, after: string): DiffLine[] {
  if (before === after) return [];
  const [a, b] = [linesOf(before), linesOf(after)];
  const changes = diffArrays(a, b, { maxEditLength }) ?? [
    { value: a, added: false, removed: true },
    { value: b, added: true, removed: false },
  ];
  return changes.flatMap(({ value, added, removed }) =>
    value.map((text): DiffLine => ({ mark: added ? "+" : removed ? "-" : " ", text })),
  );
}

const linesOf = (text: string): string[] => (text === "" ? [] : text.split(/(?<=\n)/));

/**
 * Formats a difference as coloured lines for people, with context around each change; `title` names what is compared.
 */
export function showDiff(title: string, lines: readonly DiffLine[]): string {
  const near = lines.map((_, at) =>
    lines.slice(Math.max(0, at - context), at + context + 1).some(({ mark }) => mark !== " "),
  );
  const shown: string[] = [paint("bold", safeText(title))];
  for (const [at, { mark, text }] of lines.entries()) {
    if (!near[at]) {
      if (near[at - 1]) shown.push(paint("dim", "  …"));
      continue;
    }
    const line = `${mark} ${safeText(text.replace(/\r?\n$/, "").replaceAll("\t", "  "))}`;
    shown.push(mark === " " ? line : paint(mark === "-" ? "red" : "green", line));
  }
  return shown.join("\n");
}
