import type { CommandContext } from "../program/command-context.ts";
import type { Column } from "./table.ts";

/** Tells that something worked: words for people, and what it came to as JSON for programs. */
export function tellDone({ output }: Pick<CommandContext, "output">, words: string, wire: unknown): void {
  output.done(words);
  if (output.json) output.record({}, wire);
}

/** One page of a list, and for people how much more there is. */
export function tellPage<T>(
  { output }: Pick<CommandContext, "output">,
  { items, total, page, size }: { items: readonly T[]; total: number; page: number; size: number },
  { columns, wire, first = 0 }: { columns: readonly Column<T>[]; wire: (item: T) => unknown; first?: number },
): void {
  output.list(items, columns, wire);
  const shown = (page - first) * size + items.length;
  if (shown < total && items.length > 0) output.note(`${total - shown} more of ${total}: --page ${page + 1}`);
}

/** A time as people read it, in UTC to the second. */
export function readable(ms: number | undefined): string {
  return ms === undefined ? "" : `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")}Z`;
}
