import type { QueueView } from "@posthorn/core";
import type { Register } from "../commands.ts";
import type { CommandContext } from "../program/command-context.ts";
import { operatorCall } from "../program/operator-call.ts";

export const register: Register = (command, act) => {
  command
    .command("status", { isDefault: true })
    .summary("how full the queue is, what is held, and who works on it")
    .description(
      "How full the queue is, who works on it, and the routes on which e-mails wait: w:7 is workspace 7, service are the service's own mails.",
    )
    .addHelpText("after", "\nExample:\n  posthorn queue status --json | jq .due")
    .action(act(status));
  command
    .command("pause")
    .summary("deliver no e-mail until resumed; sending is still accepted")
    .description(
      "Delivers no e-mail until resumed; sending is still accepted. What is under way is finished.",
    )
    .option("--route <name>", "hold this route alone, such as w:7")
    .addHelpText("after", "\nExamples:\n  posthorn queue pause\n  posthorn queue pause --route w:7")
    .action(act((context, options: RouteOption) => setPaused(context, options, true)));
  command
    .command("resume")
    .summary("deliver again")
    .description("Delivers again.")
    .option("--route <name>", "free this route alone, such as w:7")
    .addHelpText("after", "\nExample:\n  posthorn queue resume")
    .action(act((context, options: RouteOption) => setPaused(context, options, false)));
};

interface RouteOption {
  route?: string;
}

async function status(context: CommandContext): Promise<void> {
  const { output } = context;
  const { posthorn } = await context.open();
  const now = Date.now();
  const view = await posthorn.queue.status({}, operatorCall());
  const { due, waiting, leased, oldestDueAt, paused, workers, routes } = view;
  output.record(
    {
      "due now": due,
      "due later": waiting,
      "under way": leased,
      "oldest is due for": seconds(oldestDueAt === undefined ? 0 : now - oldestDueAt),
      paused: paused === undefined ? "no" : `since ${new Date(paused.since).toISOString()}: ${paused.reason}`,
      workers: workers.length,
      ...Object.fromEntries(
        routes.slice(0, shownRoutes).map((route) => [`route ${route.route}`, describe(route, now)]),
      ),
    },
    toWire(view),
  );
  if (routes.length > shownRoutes)
    output.note(`${routes.length - shownRoutes} further routes: posthorn queue status --json`);
  if (paused !== undefined) output.warn("The queue is paused. To deliver again: posthorn queue resume");
  else if (workers.length === 0 && due > 0)
    output.warn("Nobody delivers: start posthorn serve or posthorn worker.");
}

/** Routes that a terminal shows at the most. */
const shownRoutes = 20;

const seconds = (ms: number): string => `${Math.max(0, Math.round(ms / 1000))} s`;

const iso = (ms: number | undefined): string | null => (ms === undefined ? null : new Date(ms).toISOString());

function describe(
  { due, waiting, leased, oldestDueAt, parked }: QueueView["routes"][number],
  now: number,
): string {
  const counts = `${due} due, ${waiting} later, ${leased} under way`;
  const age = oldestDueAt === undefined ? "" : `, the oldest for ${seconds(now - oldestDueAt)}`;
  if (parked === undefined) return counts + age;
  const end = parked.until === undefined ? "until resumed" : `for another ${seconds(parked.until - now)}`;
  return `${counts}${age}; held ${end}: ${parked.reason}`;
}

const toWire = ({ due, waiting, leased, oldestDueAt, paused, workers, routes }: QueueView) => ({
  due,
  waiting,
  leased,
  oldest_due_at: iso(oldestDueAt),
  paused: paused !== undefined,
  paused_at: iso(paused?.since),
  workers: workers.map(({ id, seenAt }) => ({ id, seen_at: iso(seenAt) })),
  routes: routes.map((route) => ({
    route: route.route,
    workspace_id: route.workspaceId ?? null,
    due: route.due,
    waiting: route.waiting,
    leased: route.leased,
    oldest_due_at: iso(route.oldestDueAt),
    held: route.parked === undefined ? null : { reason: route.parked.reason, until: iso(route.parked.until) },
  })),
});

async function setPaused(context: CommandContext, { route }: RouteOption, paused: boolean): Promise<void> {
  const { posthorn } = await context.open();
  const input = route === undefined ? {} : { route };
  const call = operatorCall();
  const { changed } = await (paused ? posthorn.queue.pause(input, call) : posthorn.queue.resume(input, call));
  const word = paused ? "paused" : "running";
  const what = route === undefined ? "The queue" : `The route ${route}`;
  context.output.done(changed ? `${what} is ${word} now.` : `${what} was ${word} already.`);
}
