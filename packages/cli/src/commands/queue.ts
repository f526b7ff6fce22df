import type { Reply } from "@posthorn/client";
import type { CommandContext } from "../program/connection/command-context.ts";
import { addVerb } from "../program/verbs/add-verb.ts";
import type { Register } from "../program/verbs/register.ts";
import { addRouteVerb } from "../program/verbs/route-verb.ts";
import { noWorker, noWorkerAdvice } from "../service/no-worker.ts";
import { countOf } from "../terminal/count-of.ts";
import { ageOf, duration } from "../terminal/durations.ts";
import { readable } from "../terminal/report-done.ts";
import { backlogWords, webhookTable } from "./queue/webhook-words.ts";

export const register: Register = (command, act) => {
  addVerb(command, "status", {
    summary: "show how full the queue is, which routes and webhooks are held up, and which workers deliver",
    details:
      "Lists the routes on which e-mails wait, those that are held first: w:7 is workspace 7 on the operator's mail server, s:7:… on mail servers of its own, c:7:3 is its campaign 3, and service is the service's own e-mails. Lists the webhooks that deliveries wait for, and why.",
    example: "posthorn queue status --json | jq .due",
    isDefault: true,
    asks: ["GET /admin/queue"],
  }).action(act(status));
  const route = {
    flags: "--route <name>",
    field: "route",
    describes: "only this route, such as w:7",
  } as const;
  addRouteVerb(command, act, "pause", {
    asks: "POST /admin/queue/pause",
    summary: "pause delivery until resumed; e-mails are still accepted",
    details: "Attempts in progress are finished.",
    example: ["posthorn queue pause", "posthorn queue pause --route w:7"],
    options: [route, { flags: "--reason <text>", field: "reason", describes: "the reason to show" }],
    done: ({ changed }, _, held) => `${named(held)} ${changed ? "is" : "was already"} paused.`,
  });
  addRouteVerb(command, act, "resume", {
    asks: "POST /admin/queue/resume",
    summary: "resume delivery",
    details:
      "A server that is held is tried at once. A campaign that its workspace paused stays paused: posthorn campaigns resume.",
    example: "posthorn queue resume",
    options: [
      route,
      {
        flags: "--drop-due-before <time>",
        field: "drop_due_before",
        describes:
          "in a restored copy, cancel e-mails that fell due before this ISO 8601 time and may have been sent since",
      },
    ],
    confirm: (_, __, { drop_due_before: time }) =>
      time === undefined ? undefined : `Cancel the e-mails that were due before ${time} for good?`,
    done: ({ changed, dropped }, _, held) =>
      changed
        ? `${named(held)} is resumed.${dropped === 0 ? "" : ` ${countOf(dropped, "e-mail that was due before is", "e-mails that were due before are")} cancelled.`}${exceptByCampaign(held)}`
        : `${named(held)} was not paused.${exceptByCampaign(held)} To see routes that are held: posthorn queue`,
  });
};

/** What was paused or resumed: a pause of one route leaves all others, and outlasts the end of a pause of all. */
const named = ({ route = "*" }: { route?: string | undefined }): string =>
  route === "*" ? "Delivery" : `Delivery on route ${route}`;

/** A campaign holds its own route, too, while its workspace has paused it. */
const exceptByCampaign = ({ route = "*" }: { route?: string | undefined }): string =>
  route.startsWith("c:")
    ? " If its workspace paused the campaign, it stays so: posthorn campaigns resume."
    : "";

type Queue = Reply<"GET /admin/queue">;

async function status(context: CommandContext): Promise<void> {
  const { output } = context;
  const { request } = await context.api();
  const queue = await request("GET /admin/queue");
  const now = Date.now();
  const { due, waiting, leased, paused, paused_at, paused_reason, workers, routes, webhooks } = queue;
  output.record(
    {
      "due now": due,
      "due later": waiting,
      "in progress": leased,
      "oldest due for": ageOf(queue.oldest_due_at, now) ?? "0 s",
      ...(queue.restored_from === null
        ? {}
        : { "restored from": `a copy of ${readable(queue.restored_from)}` }),
      paused: paused ? `since ${readable(paused_at)}: ${paused_reason}` : "no",
      workers: workers.length,
      webhooks: backlogWords(webhooks, now),
      ...Object.fromEntries(
        routes.slice(0, shownRoutes).map((route) => [`route ${route.route}`, describe(route, now)]),
      ),
    },
    queue,
  );
  if (routes.length > shownRoutes)
    output.note(`${routes.length - shownRoutes} further routes: posthorn queue status --json`);
  if (!output.json && webhooks.endpoints.length > 0) {
    const shown = webhooks.endpoints.slice(0, shownRoutes);
    output.data(`\n${webhookTable({ ...webhooks, endpoints: shown }, now)}`);
    if (webhooks.endpoints.length > shownRoutes)
      output.note("Further webhooks: posthorn queue status --json");
  }
  if (queue.restored_from !== null && due + waiting + leased === 0)
    output.note(
      "This database is a copy, and no e-mail waits in it. Delivery begins with posthorn queue resume. With --drop-due-before TIME, campaigns that ran at that time are paused.",
    );
  else if (queue.restored_from !== null)
    output.warn(
      "This database is a copy, and due e-mails may have been sent since. To deliver them: posthorn queue resume. To cancel those that were due before a time: posthorn queue resume --drop-due-before TIME",
    );
  else if (paused) output.warn("Delivery is paused. To resume it: posthorn queue resume");
  else if (workers.length === 0 && due > 0) output.warn(`${noWorker} ${noWorkerAdvice}`);
}

/** Maximum number of routes, and of webhooks, shown on a terminal. */
const shownRoutes = 20;

const endWords = ({ owner, until }: Queue["routes"][number]["holds"][number], now: number): string => {
  if (until !== null) return `for another ${duration(Date.parse(until) - now)}`;
  return owner === "campaign" ? "by its campaign" : "until resumed";
};

function describe(
  { due, waiting, leased, oldest_due_at, holds }: Queue["routes"][number],
  now: number,
): string {
  const age = ageOf(oldest_due_at, now);
  const counts = `${due} due, ${waiting} later, ${leased} in progress${age === undefined ? "" : `, oldest due for ${age}`}`;
  return [counts, ...holds.map((hold) => `held ${endWords(hold, now)}: ${hold.reason}`)].join("; ");
}
