import type { CommandContext } from "../program/command-context.ts";

/** Tells that something worked: words for people, and what it came to as JSON for programs. */
export function reportDone({ output }: Pick<CommandContext, "output">, words: string, wire: unknown): void {
  output.done(words);
  if (output.json) output.record({}, wire);
}

/** A time, in ms since the epoch or ISO 8601, as people read it: in UTC to the second. */
export function readable(time: number | string | null | undefined): string {
  if (time === undefined || time === null) return "";
  return `${new Date(time).toISOString().slice(0, 19).replace("T", " ")}Z`;
}
