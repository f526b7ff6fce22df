import { expect, test } from "vitest";
import { describeRaces, done, racers } from "./races.ts";

describeRaces("limits", (races) => {
  const { race, inRounds, withPlan } = races;

  test("a quota is exact, also for several recipients at once", async () => {
    await inRounds(async () => {
      const workspace = await withPlan({ hourlyRateLimit: 7 });
      const options = { workspaceId: workspace.id };
      const sizes = Array.from({ length: racers }, (_, racer) => (racer % 3) + 1);
      const outcomes = await race((racer) => {
        const to = Array.from({ length: sizes[racer] ?? 1 }, (_, at) => `r${at}@example.com`);
        return races.posthorn.emails.send({ subject: "S", text: "T", to }, options);
      });
      const accepted = sizes
        .filter((_, racer) => outcomes[racer] === "done")
        .reduce((sum, size) => sum + size, 0);
      expect(accepted).toBe(7);
      const { total } = await races.posthorn.emails.list({}, options);
      expect(total).toBe(done(outcomes));
    });
  });

  test("with one left, one of fifty is accepted", async () => {
    await inRounds(async () => {
      const { id } = await withPlan({ dailyRateLimit: 1 });
      const outcomes = await race(() =>
        races.posthorn.emails.send({ subject: "S", text: "T", to: ["a@example.com"] }, { workspaceId: id }),
      );
      expect(done(outcomes)).toBe(1);
      expect([...new Set(outcomes)].toSorted()).toEqual(["done", "rate_limited"]);
    });
  });

  test("count limits hold: API keys of a workspace, workspaces of a person", async () => {
    await inRounds(async () => {
      const workspace = await withPlan({ maxApiKeys: 3, maxWorkspaces: 3 });
      const planId = (await races.world.storage.workspaces.find(workspace.id))?.planId ?? 0;
      await races.posthorn.plans.assignToUser({ userId: workspace.owner.userId, planId });
      const outcomes = await race((racer) =>
        racer % 2 === 0
          ? races.posthorn.apiKeys.create({ name: "k" }, workspace.asOwner)
          : races.posthorn.workspaces.create({ name: "w" }, { as: workspace.owner }),
      );
      expect(done(outcomes.filter((_, racer) => racer % 2 === 0))).toBe(3);
      expect(done(outcomes.filter((_, racer) => racer % 2 === 1))).toBe(2);
      expect(await races.world.storage.workspaces.countOwnedBy(workspace.owner.userId)).toBe(3);
    });
  });

  test("count limits hold: mail servers and sending domains of a workspace, with one left for concurrent calls", async () => {
    const limits = { maxSmtpServers: 2, maxDomains: 2 };
    const workspace = await withPlan(limits);
    const addServer = (name: string) =>
      races.posthorn.smtpServers.create({ name, host: "mail.example.com" }, workspace.asOwner);
    const addDomain = (name: string) =>
      races.posthorn.domains.create({ name: `${name}.example.com` }, workspace.asOwner);
    await Promise.all([addServer("first"), addDomain("first")]);
    for (const add of [addServer, addDomain]) {
      const outcomes = await race((racer) => add(`r${racer}`));
      expect(done(outcomes)).toBe(1);
      expect(outcomes).toContain("plan_limit_reached");
    }
    expect(await races.world.storage.smtpServers.count(workspace.id)).toBe(2);
    expect((await races.world.storage.domains.list(workspace.id, { offset: 0, limit: 0 })).total).toBe(2);
  });

  test("size limits of a plan hold for concurrent calls: of batches, and of files", async () => {
    const workspace = await withPlan({ maxBatchSize: 2, maxAttachmentSizeMb: 1, hourlyRateLimit: 3 });
    const host = { workspaceId: workspace.id };
    const said = { from: "a@shop.example", subject: "S", text: "T" };
    const people = (count: number) => Array.from({ length: count }, (_, n) => ({ to: `p${n}@example.com` }));
    const batches = await race((racer) =>
      races.posthorn.emails.sendBatch({ ...said, recipients: people(racer % 2 === 0 ? 3 : 2) }, host),
    );
    // An hour's limit of three has room for one batch of two.
    expect(batches.filter((_, racer) => racer % 2 === 0).every((code) => code === "batch_too_large")).toBe(
      true,
    );
    expect(done(batches)).toBe(1);
    const content = Buffer.alloc(1024 * 1024 + 1);
    const file = (racer: number) => ({
      filename: "a.bin",
      content: racer % 2 === 0 ? content : content.subarray(1),
    });
    const sends = await race((racer) =>
      races.posthorn.emails.send({ ...said, to: ["a@example.com"], attachments: [file(racer)] }, host),
    );
    expect(sends.filter((_, racer) => racer % 2 === 0).every((code) => code === "attachment_too_large")).toBe(
      true,
    );
    expect(done(sends)).toBe(1);
  });
});
