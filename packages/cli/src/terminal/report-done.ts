import type { CommandContext } from "../program/connection/command-context.ts";

/** Reports a success: words for people, the result as JSON for programs. */
export function reportDone({ output }: Pick<CommandContext, "output">, words: string, wire: unknown): void {
  output.done(words);
  if (output.json) output.record({}, wire);
}

/** Formats a time, given in ms since the epoch or ISO 8601, for people: in UTC to the second. */
export function readable(time: number | string | null | undefined): string {
  if (time === undefined || time === null) return "";
  return `${new Date(time).toISOString().slice(0, 19).replace("T", " ")}Z`;
}
