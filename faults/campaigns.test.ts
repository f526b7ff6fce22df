import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import type { RunningCommand } from "../packages/cli/test/run-command.ts";
import { draftCampaign } from "./campaign-draft.ts";
import { judgeCampaign } from "./judge-campaign.ts";
import { type FaultWorld, onEngine, openFaultWorld } from "./open-fault-world.ts";

/** `FAULTS_CAMPAIGN=100000 FAULTS_CAMPAIGN_KILLS=100` for a night. */
const recipients = Number(process.env["FAULTS_CAMPAIGN"] ?? 5_000);
const kills = Number(process.env["FAULTS_CAMPAIGN_KILLS"] ?? 10);
/** Maximum ms for which work waits for a killed process: the lease of its mails, that of its campaign, and a start. */
const patienceMs = 60_000;

/** Watches arrivals; returns the longest time without any. */
function watchArrivals({ copies }: FaultWorld) {
  let last = { size: 0, at: performance.now() };
  let standstill = 0;
  const look = (): void => {
    const now = performance.now();
    if (copies.size > last.size) last = { size: copies.size, at: now };
    standstill = Math.max(standstill, now - last.at);
  };
  return {
    longest: () => standstill,
    async until(count: number): Promise<void> {
      for (look(); copies.size < count; look()) {
        if (performance.now() - last.at > patienceMs) throw new Error(`nothing moves behind ${copies.size}`);
        await wait(5);
      }
    },
  };
}

test.for(["SQLite", "PostgreSQL"])(
  "a campaign whose processes are killed: %s",
  { timeout: 120_000 + 30_000 * kills + 20 * recipients },
  async (engine, { task }) => {
    const world = await openFaultWorld(await onEngine(engine));
    const { campaigns } = world.posthorn.workspace(world.workspaceId);
    const campaignId = await draftCampaign(world, recipients);
    await campaigns.start({ campaignId });

    const begun = performance.now();
    const arrivals = watchArrivals(world);
    const starts = [world.serve, world.work];
    const parts: RunningCommand[] = await Promise.all(starts.map((start) => start()));
    // Each kill happens in its share of the campaign, at any moment, and hits the server or the worker.
    for (let kill = 0; kill < kills; kill += 1) {
      await arrivals.until(Math.floor(((kill + Math.random()) / kills) * recipients));
      await wait(Math.random() * 50);
      const which = Math.random() < 0.5 ? 0 : 1;
      const [part, start] = [parts[which], starts[which]];
      part?.child.kill("SIGKILL");
      await part?.ended;
      if (start !== undefined) parts[which] = await start();
    }
    await arrivals.until(recipients);
    const status = async () => (await campaigns.get({ campaignId })).status;
    await expect.poll(status, { timeout: patienceMs, interval: 100 }).toBe("completed");
    const seconds = (performance.now() - begun) / 1_000;
    for (const { child } of parts) child.kill("SIGTERM");
    await Promise.all(parts.map(({ ended }) => ended));

    const { twice, copies, doubtful } = await judgeCampaign(world, campaignId, recipients);
    task.meta.figures = [
      `${recipients} recipients, ${kills} kills: ${Math.round(recipients / seconds)} a second`,
      `the longest standstill ${(arrivals.longest() / 1_000).toFixed(1)} s`,
      "0 lost, 0 skipped, completed once",
      `${twice} twice: ${copies} copies, told of by ${doubtful} interrupted attempts of these`,
    ].join("; ");
  },
);
