import { beforeEach, expect, test } from "vitest";
import { createRecordingLogger } from "../../../../storage-postgres/test/recording-logger.ts";
import { openWorldForEach, workspace, world } from "../../../test/world-for-each.ts";
import { removeHourly } from "./remove-old.ts";

const hour = 3_600_000;
const day = 24 * hour;

const logger = createRecordingLogger();
openWorldForEach();
beforeEach(async () => {
  logger.warnings.splice(0);
});

/** A round of the hourly removal. */
const run = (): Promise<number> =>
  removeHourly(
    { storage: world.storage, queueClock: world.clock, config: world.posthorn.config, logger },
    () => false,
  );
const runHours = async (hours: number): Promise<void> => {
  for (let at = 0; at < hours; at += 1) {
    world.clock.advance(hour);
    await run();
  }
};
const send = (idempotencyKey: string) =>
  world.posthorn.emails.send(
    { subject: "Hi", text: "x", to: ["ada@example.com"], idempotencyKey },
    { workspaceId: workspace.id },
  );
const countEmails = async (): Promise<number> =>
  (await world.posthorn.emails.list({}, { workspaceId: workspace.id })).total;

async function limit(plan: { dailyRateLimit?: number; emailLogRetentionDays?: number }): Promise<void> {
  const as = { as: await world.addUser({ admin: true }) };
  const { id: planId } = await world.posthorn.plans.create({ name: "Small", ...plan }, as);
  await world.posthorn.plans.assignToWorkspace({ workspaceId: workspace.id, planId }, as);
}

test("a clock that is years ahead for a round removes no log, no counter and no stored answer", async () => {
  await limit({ dailyRateLimit: 1, emailLogRetentionDays: 7 });
  const first = await send("k");
  await world.posthorn.drain();
  await run();
  world.clock.advance(10 * 60_000);
  world.clock.step(800 * day);
  await run();
  expect(logger.warnings).toEqual([
    { fields: { behindMs: expect.any(Number) }, message: expect.stringContaining("800 days later") },
  ]);
  world.clock.step(-800 * day);
  await run();
  expect(await countEmails()).toBe(1);
  expect((await send("k")).id).toBe(first.id);
  await expect(send("other")).rejects.toMatchObject({ code: "rate_limited" });
});

test("the clock's step is followed four times as fast as it goes, and what is due is removed", async () => {
  await limit({ emailLogRetentionDays: 7 });
  await send("k");
  await world.posthorn.drain();
  await run();
  world.clock.advance(8 * day);
  await runHours(7 * 6);
  expect(await countEmails()).toBe(1);
  await runHours(1);
  expect(await countEmails()).toBe(0);
});

test("whoever runs too seldom for the removal to keep up is told, though no pause is as long as a day", async () => {
  await run();
  const runDaily = async (days: number): Promise<void> => {
    for (let at = 0; at < days; at += 1) {
      world.clock.advance(22 * hour);
      await run();
    }
  };
  await runDaily(1);
  expect(logger.warnings).toEqual([]);
  await runDaily(8);
  expect(logger.warnings).toHaveLength(8);
  expect(logger.warnings.at(-1)).toEqual({
    fields: { behindMs: 9 * 18 * hour },
    message: expect.stringContaining("7 days later than it should be"),
  });
});

test("somebody's request removes at once, and lets the hourly rounds go by the clock again", async () => {
  await limit({ emailLogRetentionDays: 7 });
  await send("k");
  await world.posthorn.drain();
  await run();
  world.clock.advance(8 * day);
  const as = { as: await world.addUser({ admin: true }) };
  await world.posthorn.retention.run({}, as);
  expect(await countEmails()).toBe(0);
  await send("k");
  await world.posthorn.drain();
  await runHours(7 * 24);
  expect(await countEmails()).toBe(1);
  await runHours(1);
  expect(await countEmails()).toBe(0);
  expect(logger.warnings).toEqual([]);
});
