import type { Reply } from "@posthorn/client";

/** Totals of the queue at one moment. */
export interface Look {
  /** Time of the reading on a monotonic clock, in ms. */
  at: number;
  queue: Reply<"GET /admin/queue">;
}

export type Totals = Look["queue"]["totals"];

/** Returns recipients per second between the first and the last reading; `undefined` with fewer than two. */
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
