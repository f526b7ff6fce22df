import type { Storage } from "@posthorn/core";
import { createWorld, type World } from "@posthorn/core/testing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestSqlite } from "../../storage-sqlite/test/open-test-sqlite.ts";
import { mailAtRandom, type Operation, operations } from "./mail-at-random.ts";
import { contradictionsIn, leftIn } from "./mail-rows.ts";
import { openTestPostgres } from "./open-test-storage.ts";

const engines: { name: string; open: () => Promise<Storage> }[] = [
  { name: "SQLite", open: () => openTestSqlite() },
  { name: "PostgreSQL", open: () => openTestPostgres() },
];
const statuses = [
  "scheduled",
  "queued",
  "sending",
  "sent",
  "partially_sent",
  "failed",
  "suppressed",
  "cancelled",
] as const;
const numRuns = Number(process.env["ROUNDS"] ?? 1);

describe.each(engines)("mail at random on $name", ({ open }) => {
  let world: World;
  let plan: { id: number };
  beforeAll(async () => {
    world = await createWorld(await open());
    plan = await world.posthorn.plans.create({ name: "Small", hourlyRateLimit: 40, dailyRateLimit: 400 });
  });
  afterAll(() => world.close());

  /** Whether each list has as many e-mails as it says, and together they are all. */
  async function countLists(workspaceId: number): Promise<void> {
    const listed = async (filter: object) => {
      const size = { offset: 0, limit: 1_000 };
      const { items, total } = await world.storage.emails.list(
        { workspaceId, ...filter },
        size,
        world.clock.now(),
      );
      expect(total, JSON.stringify(filter)).toBe(items.length);
      return total;
    };
    const totals = await Promise.all(statuses.map((status) => listed({ status })));
    expect(totals.reduce((sum, total) => sum + total)).toBe(await listed({}));
  }

  /** Whether what was accepted was charged, and what was delivered came to the mailer. */
  async function compareCounters(workspaceId: number): Promise<void> {
    const { metrics, usage } = world.storage;
    const [span, how] = [
      { workspaceId, from: 0, until: Number.MAX_SAFE_INTEGER },
      { every: 3_600_000, domains: 9 },
    ];
    const { series } = await metrics.read(span, how);
    const accepted = series.reduce((sum, hour) => sum + hour.accepted, 0);
    const windows = await usage.listFrom(workspaceId, 0);
    for (const window of ["hour", "day"])
      expect(windows.reduce((sum, one) => sum + (one.window === window ? one.used : 0), 0)).toBe(accepted);
    const sent = world.mailer.inbox.all().reduce((sum, { envelope }) => sum + envelope.to.length, 0);
    expect((await metrics.totals()).delivered).toBe(sent);
  }

  /** Removes all of the workspace's mail, and then what nothing refers to any more. */
  async function removeAll(workspaceId: number): Promise<void> {
    const { emails, batches, contents, attachments } = world.storage;
    const all = { offset: 0, limit: 1_000 };
    const { items } = await emails.list({ workspaceId }, all, world.clock.now());
    await emails.cancelAll(
      items.map(({ id }) => id),
      world.clock.now(),
    );
    await emails.deleteBefore(workspaceId, Number.MAX_SAFE_INTEGER, 1_000);
    await batches.deleteEmptyBefore(Number.MAX_SAFE_INTEGER, 1_000);
    await contents.deleteUnused(1_000);
    for (let hours = 0; hours < 3; hours += 1) {
      await attachments.deleteUnused(world.clock.now(), 1_000);
      world.clock.advance(3_600_000);
    }
  }

  test("stored counters are the counts of their rows, and nothing is left behind", async () => {
    const run = async (groups: Operation[][], isLimited: boolean) => {
      const { id: workspaceId } = await world.addWorkspace();
      if (isLimited) await world.posthorn.plans.assignToWorkspace({ workspaceId, planId: plan.id });
      const work = mailAtRandom(world, workspaceId);
      for (const group of groups) {
        await Promise.all(group.map(work));
        expect(await contradictionsIn(world.storage), JSON.stringify(group)).toEqual([]);
      }
      await countLists(workspaceId);
      await compareCounters(workspaceId);
      await removeAll(workspaceId);
      expect(await contradictionsIn(world.storage)).toEqual([]);
      expect(await leftIn(world.storage)).toEqual([]);
    };
    await fc.assert(fc.asyncProperty(operations, fc.boolean(), run), { numRuns, endOnFailure: true });
  });
});
