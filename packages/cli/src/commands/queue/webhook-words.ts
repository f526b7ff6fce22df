import type { Reply } from "@posthorn/client";
import { ageOf, duration } from "../../terminal/durations.ts";
import { grouped } from "../../terminal/grouped.ts";
import { formatTable } from "../../terminal/table.ts";

type Webhooks = Reply<"GET /admin/queue">["webhooks"];
type Endpoint = Webhooks["endpoints"][number];

/** Says how many deliveries wait, and how long those whose endpoints work. */
export function backlogWords({ pending, oldest_due_at, endpoints }: Webhooks, now: number): string {
  if (pending === 0) return "none waiting";
  const age = ageOf(oldest_due_at, now);
  const states = (["failing", "paused", "slow"] as const).flatMap((state) => {
    const count = endpoints.filter((one) => one.state === state).length;
    return count === 0 ? [] : `${count} ${state}`;
  });
  const waiting = `${grouped(pending)} waiting${age === undefined ? "" : `, ${age} for working ones`}`;
  return [waiting, ...states].join(" · ");
}

/** The table of the webhooks that something waits for, and why. */
export const webhookTable = ({ endpoints }: Webhooks, now: number, columns?: number): string =>
  formatTable(
    endpoints,
    [
      { title: "WEBHOOK", cell: ({ host }) => host, narrow: "cut" },
      { title: "WORKSPACE", cell: ({ workspace_id }) => workspace_id, align: "right", narrow: "spare" },
      { title: "DUE", cell: ({ due }) => grouped(due), align: "right" },
      { title: "LATER", cell: ({ waiting }) => grouped(waiting), align: "right" },
      { title: "OLDEST", cell: ({ oldest_due_at }) => ageOf(oldest_due_at, now), align: "right" },
      { title: "STATE", cell: (one) => stateWords(one, now), narrow: "cut" },
    ],
    columns,
  );

function stateWords({ state, paused_until: until, failures, error }: Endpoint, now: number): string {
  const pause = until === null ? "" : ` for ${duration(Date.parse(until) - now)}`;
  const fault = error === null ? "" : `: ${error}${failures > 1 ? `, ${grouped(failures)} times` : ""}`;
  return `${state}${pause}${fault}`;
}
