import { setTimeout as wait } from "node:timers/promises";
import type { Api } from "../../program/connection/api.ts";
import type { CommandContext } from "../../program/connection/command-context.ts";
import { askThroughFailures } from "../../program/connection/passing-failures.ts";
import { hasCode } from "../../program/errors/has-code.ts";
import { findListed } from "../../program/verbs/find-listed.ts";
import { campaigns } from "../../program/verbs/listed-things.ts";
import { noWorker, noWorkerAdvice } from "../../service/no-worker.ts";
import { createProgress } from "../../terminal/progress.ts";
import { reportDone } from "../../terminal/report-done.ts";
import { createLimitTeller } from "./limit-teller.ts";

/** Statuses in which a campaign proceeds by itself. */
const moving: ReadonlySet<string> = new Set(["scheduled", "running"]);
const lookMs = 500;

/** Warns if nothing will be sent, according to the queue, which only administrators see on a server. */
async function tellWhyItWaits({ output }: CommandContext, { request }: Api): Promise<void> {
  const queue = await request("GET /admin/queue").catch((error: unknown) => {
    if (hasCode(error, "administrator_required")) return undefined;
    throw error;
  });
  if (queue?.workers.length === 0) output.warn(`${noWorker} ${noWorkerAdvice}`);
  else if (queue?.paused === true)
    output.warn(
      `Delivery is paused${queue.paused_reason === null ? "" : ` (${queue.paused_reason})`}. To resume it: posthorn queue resume`,
    );
}

export async function watch(
  context: CommandContext,
  named: string,
  { workspace }: { workspace?: string },
): Promise<void> {
  const { signal } = context;
  const api = await context.inWorkspace(workspace);
  const id = Number(await findListed(campaigns)(api, named));
  const ask = () => api.request("GET /workspaces/current/campaigns/{id}", { id });
  let campaign = await ask();
  const doneOf = ({ counts }: typeof campaign): number =>
    counts.sent + counts.failed + counts.skipped + counts.cancelled;
  let done = doneOf(campaign);
  if (moving.has(campaign.status)) await tellWhyItWaits(context, api);
  const tellLimit = createLimitTeller(context.output);
  tellLimit(campaign);
  const progress = createProgress(campaign.name, campaign.recipients, { before: done });
  try {
    while (moving.has(campaign.status) && !signal.aborted) {
      await wait(lookMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) break;
      campaign = await askThroughFailures(ask, { signal, tell: context.output.warn });
      tellLimit(campaign);
      progress.add(doneOf(campaign) - done);
      done = doneOf(campaign);
    }
  } finally {
    progress.end();
  }
  const { counts, name, status, paused_reason: why } = campaign;
  const reason = why === null || why === "user" ? "" : ` (${why})`;
  const read = [`${counts.opened} opened`, `${counts.clicked} clicked`].filter(
    (words) => !words.startsWith("0 "),
  );
  const ended = `${counts.sent} sent, ${counts.failed} failed, ${counts.skipped} skipped, ${counts.cancelled} cancelled`;
  reportDone(context, `"${name}" is ${status}${reason}: ${[ended, ...read].join(", ")}.`, campaign);
}
