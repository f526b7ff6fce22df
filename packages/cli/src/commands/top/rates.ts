import type { Reply } from "@posthorn/client";

/** How the queue stood at a moment. */
export interface Look {
  /** ms, of a clock that only goes forward. */
  at: number;
  queue: Reply<"GET /admin/queue">;
}

export type Totals = Look["queue"]["totals"];

/** Recipients a second, from the first look to the last; `undefined` where there are not two. */
export function ratesOf(looks: readonly Look[]): Totals | undefined {
  const first = looks.at(0);
  const last = looks.at(-1);
  if (first === undefined || last === undefined || last.at <= first.at) return undefined;
  const seconds = (last.at - first.at) / 1_000;
  const before = first.queue.totals;
  return Object.fromEntries(
    Object.entries(last.queue.totals).map(([name, total]) => [
      name,
      Math.max(0, total - before[name as keyof Totals]) / seconds,
    ]),
  ) as Totals;
}
