import { paint } from "./paint.ts";
import { safeText } from "./safe-text.ts";

/** A line of a difference: kept, taken out, or put in. */
export interface DiffLine {
  mark: " " | "-" | "+";
  text: string;
}

const context = 3;
/** Lines of both sides multiplied, past which everything between the first and the last difference counts as replaced. */
const maxCells = 4_000_000;

/** What changes from one text to another, by lines. Empty where nothing does. */
export function diffLines(before: string, after: string): DiffLine[] {
  if (before === after) return [];
  const [a, b] = [linesOf(before), linesOf(after)];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  const kept = (lines: string[]): DiffLine[] => lines.map((text) => ({ mark: " ", text }));
  return [
    ...kept(a.slice(0, head)),
    ...diffMiddle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...kept(a.slice(a.length - tail)),
  ];
}

const linesOf = (text: string): string[] => (text === "" ? [] : text.split(/(?<=\n)/));

function diffMiddle(a: string[], b: string[]): DiffLine[] {
  const replaced: DiffLine[] = [
    ...a.map((text): DiffLine => ({ mark: "-", text })),
    ...b.map((text): DiffLine => ({ mark: "+", text })),
  ];
  if (a.length * b.length > maxCells || a.length === 0 || b.length === 0) return replaced;
  // common[i][j]: the length of the longest common subsequence of what begins at i and at j.
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [old, young] = [a[i], b[j]];
    if (old !== undefined && old === young) {
      lines.push({ mark: " ", text: old });
      i += 1;
      j += 1;
    } else if (old !== undefined && (young === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ mark: "-", text: old });
      i += 1;
    } else {
      lines.push({ mark: "+", text: young ?? "" });
      j += 1;
    }
  }
  return lines;
}

/** A difference as coloured lines for people, with what stands around each change; `title` names what is compared. */
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
