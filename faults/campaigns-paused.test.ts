import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { draftCampaign } from "./campaign-draft.ts";
import { judgeCampaign } from "./judge-campaign.ts";
import { onEngine, openFaultWorld } from "./open-fault-world.ts";

const recipients = 6_000;
const slots = 8;
const env = { SERVICE_WORKER_CONCURRENCY: String(slots) };
/** Ms within which a pause must take effect. */
const boundMs = 1_000;

test.for(["SQLite", "PostgreSQL"])(
  "a campaign paused, restarted three times, resumed and cancelled: %s",
  { timeout: 600_000 },
  async (engine, { task }) => {
    const world = await openFaultWorld(await onEngine(engine));
    const { campaigns } = world.posthorn.workspace(world.workspaceId);
    const arrived = (count: number) =>
      expect.poll(() => world.copies.size, { timeout: 120_000, interval: 20 }).toBeGreaterThanOrEqual(count);

    /**
     * Pauses; returns when the last mail arrived after the response in ms, how many did, and how many had in the same
     * time before.
     */
    const pause = async (campaignId: number) => {
      const earlier = world.copies.size;
      await wait(boundMs);
      const rate = world.copies.size - earlier;
      await campaigns.pause({ campaignId });
      const [answered, before] = [performance.now(), world.copies.size];
      let [size, last] = [before, answered];
      while (performance.now() - answered < 4 * boundMs) {
        await wait(10);
        if (world.copies.size > size) [size, last] = [world.copies.size, performance.now()];
      }
      return { late: last - answered, count: size - before, rate };
    };

    const campaignId = await draftCampaign(world, recipients);
    let server = await world.serve({ env });
    const worker = await world.work({ env });
    // If two start it at once, one succeeds.
    const tries = await Promise.allSettled([
      campaigns.start({ campaignId }),
      campaigns.start({ campaignId }),
    ]);
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);

    const pauses: Awaited<ReturnType<typeof pause>>[] = [];
    for (let round = 1; round <= 3; round += 1) {
      await arrived(round * 500);
      pauses.push(await pause(campaignId));
      await server.stop();
      server = await world.serve({ env });
      const standing = world.copies.size;
      await wait(boundMs);
      expect(world.copies.size).toBe(standing);
      await campaigns.resume({ campaignId });
    }
    const status = async () => (await campaigns.get({ campaignId })).status;
    await expect.poll(status, { timeout: 300_000, interval: 100 }).toBe("completed");
    const { twice } = await judgeCampaign(world, campaignId, recipients);

    const other = await draftCampaign(world, recipients);
    await campaigns.start({ campaignId: other });
    await arrived(recipients + 500);
    await campaigns.cancel({ campaignId: other });
    const counts = async () => (await campaigns.get({ campaignId: other })).counts;
    const settled = async () => {
      const { sent, cancelled } = await counts();
      return sent + cancelled;
    };
    await expect.poll(settled, { timeout: 120_000, interval: 100 }).toBe(recipients);
    const { sent } = await counts();
    expect(world.copies.size).toBe(recipients + sent);
    expect((await world.posthorn.queueStatus()).due).toBe(0);
    await server.stop();
    worker.child.kill("SIGTERM");
    await worker.ended;

    const told = pauses.map(
      ({ late, count, rate }) => `${count} mails in ${Math.round(late)} ms after it at ${rate} a second`,
    );
    task.meta.figures = `3 pauses: ${told.join(", ")}; ${twice} twice; cancelled with ${sent} of ${recipients} sent`;
    // The mails of one second, or, if fewer, those that both workers held.
    for (const { count, rate } of pauses) expect(count).toBeLessThanOrEqual(Math.max(rate, 2 * slots));
  },
);
