import { PatternFault, type PatternNode, parsePattern } from "./parse-pattern.ts";

/** A compiled pattern. */
export interface LinearPattern {
  /**
   * Whether the pattern matches anywhere in a text, in any case. The time is proportional to the text's length times
   * `size`, whatever the text.
   */
  test(text: string): boolean;
  /** Number of its states. */
  size: number;
}

type Step =
  | { kind: "set"; has: (character: string) => boolean }
  | { kind: "assert"; holds: (before: string, after: string) => boolean; next: number }
  | { kind: "split"; next: number[] }
  | { kind: "found" };

const longest = 300;
const maxSteps = 1_000;

/**
 * Compiles a pattern into a matcher that reads a text once and tracks all possible states at the same time, so that no
 * text causes backtracking (Thompson's construction). Throws `PatternFault`.
 */
export function compilePattern(pattern: string): LinearPattern {
  if (pattern.length > longest) throw new PatternFault(`longer than ${longest} characters`);
  const steps: Step[] = [];
  const add = (step: Step): number => {
    if (steps.length >= maxSteps) throw new PatternFault("too many repeats in total");
    steps.push(step);
    return steps.length - 1;
  };

  /** Appends the steps of a node; the code that follows continues after the last step. */
  function write(node: PatternNode): void {
    if (node.kind === "set") add({ kind: "set", has: node.has });
    else if (node.kind === "assert") add({ kind: "assert", holds: node.holds, next: steps.length + 1 });
    else if (node.kind === "all") for (const one of node.nodes) write(one);
    else if (node.kind === "either") writeEither(node.nodes);
    else writeRepeat(node);
  }

  function writeEither(nodes: PatternNode[]): void {
    const fork = { kind: "split" as const, next: [] as number[] };
    add(fork);
    const ends = nodes.map((node) => {
      fork.next.push(steps.length);
      write(node);
      const end = { kind: "split" as const, next: [] as number[] };
      add(end);
      return end;
    });
    for (const end of ends) end.next.push(steps.length);
  }

  function writeRepeat({ node, least, most }: Extract<PatternNode, { kind: "repeat" }>): void {
    for (let time = 0; time < least; time += 1) {
      const before = steps.length;
      write(node);
      // Repeating an empty node has no effect, and nested repeats of one would take exponential time.
      if (steps.length === before) break;
    }
    if (most === Number.POSITIVE_INFINITY) {
      const fork = { kind: "split" as const, next: [steps.length + 1] };
      const start = add(fork);
      write(node);
      add({ kind: "split", next: [start] });
      fork.next.push(steps.length);
      return;
    }
    const forks = Array.from({ length: most - least }, () => {
      const fork = { kind: "split" as const, next: [steps.length + 1] };
      add(fork);
      write(node);
      return fork;
    });
    for (const fork of forks) fork.next.push(steps.length);
  }

  write(parsePattern(pattern));
  add({ kind: "found" });
  return { size: steps.length, test: (text) => run(steps, text.toLowerCase()) };
}

function run(steps: readonly Step[], text: string): boolean {
  /** Position at which each step was last reached, so that it is visited once per position. */
  const reached = new Int32Array(steps.length).fill(-1);
  let waiting: number[] = [];
  for (let at = 0; at <= text.length; at += 1) {
    const [before, after] = [at === 0 ? "" : text.charAt(at - 1), text.charAt(at)];
    const ready: number[] = [];
    // A match may begin at any position.
    const open = [...waiting, 0];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      const step = steps[place];
      if (step === undefined || reached[place] === at) continue;
      reached[place] = at;
      if (step.kind === "found") return true;
      if (step.kind === "set") ready.push(place);
      else if (step.kind === "split") open.push(...step.next);
      else if (step.holds(before, after)) open.push(step.next);
    }
    waiting = [];
    for (const place of ready) {
      const step = steps[place];
      if (after !== "" && step?.kind === "set" && step.has(after)) waiting.push(place + 1);
    }
  }
  return false;
}
