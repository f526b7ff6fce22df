import { setTimeout as wait } from "node:timers/promises";
import type { CommandContext } from "../../program/command-context.ts";
import { findListed } from "../../program/find-listed.ts";
import { campaigns } from "../../program/things.ts";
import { createProgress } from "../../terminal/progress.ts";
import { tellDone } from "../../terminal/tell.ts";

/** Statuses from which a campaign goes on by itself. */
const moving: ReadonlySet<string> = new Set(["scheduled", "running"]);
const lookMs = 500;

export async function watch(
  context: CommandContext,
  named: string,
  { workspace }: { workspace?: string },
): Promise<void> {
  const api = await context.inWorkspace(workspace);
  const id = Number(await findListed(campaigns)(api, named));
  const ask = () => api.request("GET /workspaces/current/campaigns/{id}", { id });
  let campaign = await ask();
  const doneOf = ({ counts }: typeof campaign): number =>
    counts.sent + counts.failed + counts.skipped + counts.cancelled;
  let done = doneOf(campaign);
  if (api.kind === "database" && moving.has(campaign.status)) {
    const { workers } = await api.request("GET /admin/queue");
    if (workers.length === 0)
      context.output.warn("Nobody delivers: start posthorn serve or posthorn worker.");
  }
  const progress = createProgress(campaign.name, campaign.recipients, { before: done });
  try {
    while (moving.has(campaign.status) && !context.signal.aborted) {
      await wait(lookMs, undefined, { signal: context.signal }).catch(() => {});
      campaign = await ask();
      progress.add(doneOf(campaign) - done);
      done = doneOf(campaign);
    }
  } finally {
    progress.end();
  }
  const { counts, name, status, paused_reason: why } = campaign;
  const reason = why === null || why === "user" ? "" : ` (${why})`;
  tellDone(
    context,
    `"${name}" is ${status}${reason}: ${counts.sent} sent, ${counts.failed} failed, ${counts.skipped} skipped, ${counts.cancelled} cancelled.`,
    campaign,
  );
}
